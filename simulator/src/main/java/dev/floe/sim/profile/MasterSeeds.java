package dev.floe.sim.profile;

import dev.floe.sim.mutant.MasterMutant;
import dev.floe.sim.ratis.RatisRun;
import dev.floe.sim.ratis.RatisScenario;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Masters with real Ratis as seeds of a profile.
final class MasterSeeds {
  private MasterSeeds() {}

  static SeedRunner runner(Setup setup) {
    RatisScenario.Options options = RatisScenario.Options.SHORT.withFaults(setup.hasFaults());
    for (Map.Entry<String, String> option : setup.options().entrySet()) {
      try {
        options = options.withSize(option.getKey(), option.getValue());
      } catch (IllegalArgumentException e) {
        throw Setup.wrong(option, e);
      }
    }
    RatisScenario.Options last = options;
    RatisRun runs = new RatisRun(last, mutant(setup.mutant()), setup.hasTrouble());
    return (seed, sink) -> {
      RatisRun.Report run = runs.run(seed, sink);
      return Reports.of(
          seed,
          run.isOk() ? "" : run.invariant(),
          run.outcome(),
          run.cpu(),
          new SeedReport.Text(last.toString(), run.summary()),
          run.probes());
    };
  }

  private static MasterMutant mutant(String name) {
    return Profile.mutant(MasterMutant.values(), name, mutants());
  }

  static List<String> mutants() {
    return Arrays.stream(MasterMutant.values())
        .filter(mutant -> mutant != MasterMutant.NONE)
        .map(Profile::spelled)
        .toList();
  }
}
