package dev.floe.sim.profile;

import dev.floe.sim.probe.ProbeRun;
import dev.floe.sim.vthread.Halt;
import dev.floe.sim.vthread.Simulation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reports of runs on virtual threads.
final class Reports {
  private Reports() {}

  static SeedReport of(
      long seed,
      String invariant,
      Simulation.Outcome outcome,
      Duration cpu,
      SeedReport.Text text,
      ProbeRun probes) {
    Map<String, Long> counts = new TreeMap<>(probes.fired());
    counts.putAll(probes.seen());
    return new SeedReport(
        seed,
        outcome.failure() instanceof Halt ? SeedReport.HALTED : invariant,
        describe(outcome.failure()),
        new SeedReport.Cost(
            outcome.hash(),
            outcome.virtualTime().toMillis(),
            cpu.toMillis(),
            outcome.counters().steps()),
        text,
        outcome.checkpoints(),
        counts);
  }

  private static String describe(@Nullable Throwable failure) {
    if (failure == null) {
      return "";
    }
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
