package dev.floe.sim.profile;

import dev.floe.sim.fleet.FleetOptions;
import dev.floe.sim.fleet.FleetRun;
import java.util.Map;

/// Whole clusters as seeds of a profile.
public final class FleetSeeds {
  private FleetSeeds() {}

  static SeedRunner runner(Profile profile, Setup setup) {
    FleetRun runs = runs(profile, setup);
    if (setup.preemption() > 0) {
      return new IsolatedSeeds(profile, setup);
    }
    return (seed, sink) -> report(runs.run(seed, sink));
  }

  /// What runs seeds and plans of a profile.
  ///
  /// @throws IllegalArgumentException for options that whole clusters do not have
  public static FleetRun runs(Profile profile, Setup setup) {
    FleetOptions options =
        FleetOptions.STANDARD
            .withLog(
                profile == Profile.FLEET_MODEL
                    ? FleetOptions.LogKind.MODEL
                    : FleetOptions.LogKind.RATIS)
            .withFaults(setup.hasFaults())
            .withTrouble(setup.hasTrouble())
            .withMutant(setup.mutant());
    for (Map.Entry<String, String> option : setup.options().entrySet()) {
      try {
        options = options.withSize(option.getKey(), option.getValue());
      } catch (IllegalArgumentException e) {
        throw Setup.wrong(option, e);
      }
    }
    return new FleetRun(profile.toString(), options).withPreemption(setup.preemption());
  }

  /// A run in the shape that all profiles have.
  public static SeedReport report(FleetRun.Report run) {
    return Reports.of(
        run.plan().seed(),
        run.isOk() ? "" : run.invariant(),
        run.outcome(),
        run.witnessed().cpu(),
        new SeedReport.Text(run.drawn(), run.summary()),
        run.witnessed().probes());
  }
}
