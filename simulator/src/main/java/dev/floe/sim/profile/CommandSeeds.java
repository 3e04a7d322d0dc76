package dev.floe.sim.profile;

import dev.floe.sim.check.Situation;
import dev.floe.sim.check.Situations;
import dev.floe.sim.cluster.Mutant;
import dev.floe.sim.cluster.RunResult;
import dev.floe.sim.cluster.SimOptions;
import dev.floe.sim.cluster.Simulation;
import dev.floe.sim.cluster.Swarm;
import dev.floe.sim.kernel.Trace;
import dev.floe.sim.vthread.Halt;
import dev.floe.sim.vthread.TraceHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The simulator with a model log as seeds of a profile.
final class CommandSeeds {
  private CommandSeeds() {}

  static SeedRunner runner(Profile profile, Setup setup) {
    for (Map.Entry<String, String> option : setup.options().entrySet()) {
      throw Setup.wrong(
          option,
          new IllegalArgumentException(
              "profile "
                  + profile
                  + " draws its sizes from the seed and has none to set;"
                  + " fleet, fleet-model and masters have"));
    }
    Mutant mutant = mutantOrNull(setup.mutant());
    String swarm =
        !setup.hasFaults() || profile == Profile.COMMANDS_CALM
            ? "calm"
            : profile == Profile.COMMANDS_STORM ? "storm" : "swarm";
    return (seed, sink) -> {
      long began = System.nanoTime();
      SimOptions options = Swarm.derive(seed, swarm).withMutant(mutant);
      RunResult run = Simulation.run(options, sink == null ? null : numbered(sink));
      return report(run, (System.nanoTime() - began) / 1_000_000);
    };
  }

  /// The events of these runs have no steps; they are counted.
  private static Consumer<String> numbered(TraceHash.TraceSink sink) {
    AtomicLong events = new AtomicLong();
    return line -> {
      long event = events.incrementAndGet();
      if (event > sink.lastStep()) {
        throw new Halt(sink.lastStep());
      }
      sink.line(event, 0, "E", line);
    };
  }

  private static SeedReport report(RunResult run, long cpuMillis) {
    RunResult.Failure failure = run.failure();
    List<TraceHash.Checkpoint> checkpoints = new ArrayList<>();
    for (int i = 0; i < run.checkpoints().size(); i++) {
      checkpoints.add(
          new TraceHash.Checkpoint(
              (long) (i + 1) * Trace.CHECKPOINT_STEPS, 0, run.checkpoints().get(i)));
    }
    String state = failure != null && failure.cause() instanceof Halt ? failure.message() : "";
    return new SeedReport(
        run.options().seed(),
        failure == null ? "" : state.isEmpty() ? failure.invariant().name() : SeedReport.HALTED,
        failure == null ? "" : failure.message() + "\n" + run.report(),
        new SeedReport.Cost(
            run.hash(),
            failure == null ? 0 : failure.atNanos() / 1_000_000,
            cpuMillis,
            run.steps()),
        new SeedReport.Text(run.options().toString(), state),
        checkpoints,
        counts(run.situations()));
  }

  private static Map<String, Long> counts(Situations situations) {
    Map<String, Long> counts = new TreeMap<>();
    for (Situation situation : Situation.values()) {
      long count = situations.count(situation);
      if (count > 0) {
        counts.put(situation.name(), count);
      }
    }
    return counts;
  }

  private static @Nullable Mutant mutantOrNull(String name) {
    if (name.equals("none")) {
      return null;
    }
    return Profile.mutant(Mutant.values(), name, mutants());
  }

  static List<String> mutants() {
    return Arrays.stream(Mutant.values()).map(Profile::spelled).toList();
  }
}
