package dev.floe.sim.fleet;

import dev.floe.sim.check.Violation;
import dev.floe.sim.ratis.RatisStatics;
import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.vthread.TraceHash;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Runs one seed after the other, each with fresh disks, memory and statics.
public final class FleetRun {
  private static final Path DISKS = Path.of("/floe-sim-disk");

  private final FleetOptions options;

  public FleetRun(FleetOptions options) {
    this.options = options;
  }

  /// Runs a seed.
  ///
  /// @param sink takes the trace
  public Report run(long seed, TraceHash.@Nullable TraceSink sink) {
    RatisStatics.reset();
    // A directory is held by its path for as long as the JVM lives.
    Path root = DISKS.resolve(UUID.randomUUID().toString());
    SimOptions sim =
        SimOptions.of(seed).withSharedThreads(RatisStatics::isSharedThread).withSink(sink);
    Duration cpuBefore = cpu();
    // Closed with the run: the threads of killed processes never touch it again.
    try (Arena memory = Arena.ofShared()) {
      FleetScenario scenario = new FleetScenario(options, root, memory);
      Simulation.Outcome outcome = Simulation.run(sim, scenario);
      return new Report(outcome, scenario.drawn(), scenario.summary(), cpu().minus(cpuBefore));
    }
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// What came of a seed.
  ///
  /// @param drawn the options that the seed drew
  /// @param summary of the scenario; empty when it failed
  /// @param cpu of the whole JVM, compiler and collector included
  public record Report(Simulation.Outcome outcome, String drawn, String summary, Duration cpu) {
    /// Whether nothing went wrong.
    public boolean isOk() {
      return outcome.failure() == null;
    }

    /// The invariant that did not hold, `none`, or the failure's first word.
    public String invariant() {
      Throwable failure = outcome.failure();
      if (failure == null) {
        return "none";
      }
      if (failure instanceof Violation violation) {
        return violation.invariant().name();
      }
      String message = String.valueOf(failure.getMessage());
      int colon = message.indexOf(':');
      return failure instanceof AssertionError && colon > 0
          ? message.substring(0, colon)
          : failure.getClass().getSimpleName();
    }

    /// One line.
    public String line() {
      return String.format(
          Locale.ROOT,
          "seed=%d %s hash=%016x virtual=%.2fs cpu=%.2fs steps=%d %s",
          outcome.seed(),
          isOk() ? "ok" : "FAIL invariant=" + invariant(),
          outcome.hash(),
          outcome.virtualTime().toMillis() / 1000.0,
          cpu.toMillis() / 1000.0,
          outcome.counters().steps(),
          summary);
    }
  }
}
