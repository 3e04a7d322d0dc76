package dev.floe.sim.fleet;

import dev.floe.sim.check.Violation;
import dev.floe.sim.explain.RunLog;
import dev.floe.sim.plan.Fault;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.probe.ProbeRun;
import dev.floe.sim.ratis.RatisStatics;
import dev.floe.sim.vthread.Halt;
import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.vthread.TraceHash;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Runs one seed after the other, each with fresh disks, memory and statics.
public final class FleetRun {
  /// The virtual time that a run has.
  public static final Duration TIME_LIMIT = Duration.ofMinutes(30);

  private static final Path DISKS = Path.of("/floe-sim-disk");

  private final String profile;
  private final FleetOptions options;
  private final double preemption;

  public FleetRun(FleetOptions options) {
    this(options.log() == FleetOptions.LogKind.MODEL ? "fleet-model" : "fleet", options);
  }

  /// @param profile the name under which plans are written
  public FleetRun(String profile, FleetOptions options) {
    this(profile, options, 0);
  }

  private FleetRun(String profile, FleetOptions options, double preemption) {
    this.profile = profile;
    this.options = options;
    this.preemption = preemption;
  }

  /// The same with threads that lose the processor at a share of the points of synchronisation.
  public FleetRun withPreemption(double share) {
    return new FleetRun(profile, options, share);
  }

  /// What runs report of themselves: each kind of fault that was at work, as `fault.KIND`.
  public static List<String> situations() {
    List<String> all = new ArrayList<>();
    for (FleetFault fault : FleetFault.values()) {
      all.add(FaultPlayer.situation(fault));
    }
    return all;
  }

  /// Runs a seed.
  ///
  /// @param sink takes the trace
  public Report run(long seed, TraceHash.@Nullable TraceSink sink) {
    return run(plan(seed), TIME_LIMIT, sink);
  }

  /// The plan of a seed.
  public Plan plan(long seed) {
    return FleetPlans.derive(profile, seed, options);
  }

  /// Runs a plan.
  ///
  /// @param timeLimit virtual time at which the run ends with an error
  /// @param sink takes the trace
  /// @throws IllegalArgumentException when the plan has a setting that is wrong
  public Report run(Plan plan, Duration timeLimit, TraceHash.@Nullable TraceSink sink) {
    RatisStatics.reset();
    // A directory is held by its path for as long as the JVM lives.
    Path root = DISKS.resolve(UUID.randomUUID().toString());
    SimOptions sim =
        SimOptions.of(plan.schedule())
            .withTimeLimit(timeLimit)
            .withSharedThreads(RatisStatics::isSharedThread)
            .withPreemption(preemption)
            .withSink(sink);
    FleetDraw draw = FleetDraw.of(plan);
    ProbeRun probes = new ProbeRun(plan.seed(), draw.makesTrouble());
    Duration cpuBefore = cpu();
    // Closed with the run: the threads of killed processes never touch it again.
    try (Arena memory = Arena.ofShared()) {
      FleetScenario scenario =
          new FleetScenario(
              FleetPlans.options(plan, options),
              plan,
              new FleetScenario.Places(root, memory, probes::sometimes));
      Simulation.Outcome outcome =
          Simulation.run(
              sim,
              simulation -> {
                simulation.mount(probes);
                scenario.run(simulation);
              });
      return new Report(
          outcome,
          plan,
          new Witnessed(
              outcome.failure() instanceof Halt ? scenario.state() : scenario.summary(),
              cpu().minus(cpuBefore),
              probes,
              scenario.log()));
    }
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// What was seen of a run from outside of it.
  ///
  /// @param summary of the scenario; empty when it failed, the state when it was halted
  /// @param cpu of the whole JVM, compiler and collector included
  /// @param probes what the probes in production code did and saw
  /// @param log what is worth telling
  public record Witnessed(String summary, Duration cpu, ProbeRun probes, RunLog log) {}

  /// What came of a seed.
  ///
  /// @param plan what was run
  public record Report(Simulation.Outcome outcome, Plan plan, Witnessed witnessed) {
    /// What the seed drew.
    public String drawn() {
      return plan.describe()
          + " faults="
          + plan.faults().stream().map(Fault::kind).distinct().sorted().toList();
    }

    /// What happened, in one line; empty when it failed.
    public String summary() {
      return witnessed.summary;
    }

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
          plan.seed(),
          isOk() ? "ok" : "FAIL invariant=" + invariant(),
          outcome.hash(),
          outcome.virtualTime().toMillis() / 1000.0,
          witnessed.cpu.toMillis() / 1000.0,
          outcome.counters().steps(),
          summary());
    }
  }
}
