package dev.floe.sim.ratis;

import dev.floe.sim.mutant.MasterMutant;
import dev.floe.sim.probe.ProbeRun;
import dev.floe.sim.vthread.Halt;
import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.vthread.TraceHash;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Runs one seed after the other, each with fresh disks and fresh statics.
public final class RatisRun {
  private static final Path DISKS = Path.of("/floe-sim-disk");

  private final RatisScenario.Options options;
  private final MasterMutant mutant;
  private final boolean hasTrouble;

  public RatisRun(RatisScenario.Options options) {
    this(options, MasterMutant.NONE);
  }

  /// With a planted bug.
  public RatisRun(RatisScenario.Options options, MasterMutant mutant) {
    this(options, mutant, true);
  }

  /// @param hasTrouble whether the probes' sites in production code may take their rare paths
  public RatisRun(RatisScenario.Options options, MasterMutant mutant, boolean hasTrouble) {
    this.options = options;
    this.mutant = mutant;
    this.hasTrouble = hasTrouble;
  }

  /// Runs a seed.
  ///
  /// @param sink takes the trace
  public Report run(long seed, TraceHash.@Nullable TraceSink sink) {
    RatisStatics.reset();
    // A directory is held by its path for as long as the JVM lives.
    Path root = DISKS.resolve(UUID.randomUUID().toString());
    RatisScenario scenario = new RatisScenario(options, root, mutant);
    SimOptions sim =
        SimOptions.of(seed).withSharedThreads(RatisStatics::isSharedThread).withSink(sink);
    Duration cpuBefore = cpu();
    ProbeRun probes = new ProbeRun(seed, hasTrouble);
    Simulation.Outcome outcome =
        Simulation.run(
            sim,
            simulation -> {
              simulation.mount(probes);
              scenario.run(simulation);
            });
    String told = outcome.failure() instanceof Halt ? scenario.state() : scenario.summary();
    return new Report(outcome, told, cpu().minus(cpuBefore), probes);
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// What came of a seed.
  ///
  /// @param summary of the scenario; empty when it failed
  /// @param cpu time of the whole process, compiler and collector included
  /// @param probes what the probes in production code did and saw
  public record Report(Simulation.Outcome outcome, String summary, Duration cpu, ProbeRun probes) {
    /// Whether every invariant held.
    public boolean isOk() {
      return outcome.failure() == null;
    }

    /// The invariant that did not hold: the failure's first word.
    public String invariant() {
      Throwable failure = outcome.failure();
      if (failure == null) {
        return "none";
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
