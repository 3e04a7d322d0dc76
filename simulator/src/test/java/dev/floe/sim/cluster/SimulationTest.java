package dev.floe.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Situation;
import dev.floe.sim.check.Situations;
import dev.floe.sim.junit.SimTest;
import dev.floe.sim.profile.SeedReport;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
  /// What a batch of two hundred seeds is too small to promise.
  private static final Set<Situation> RARE =
      EnumSet.of(Situation.QUARANTINED_SPACE_RELEASED, Situation.RUNTIME_EXPIRED);

  @Test
  void holdsEveryInvariantOverTwoHundredSeedsAndSeesTheirSituations() {
    Situations situations = new Situations();
    for (long seed = 1; seed <= 200; seed++) {
      RunResult result = Simulation.run(Swarm.derive(seed, "swarm"));
      assertThat(result.report()).isEmpty();
      situations.addAll(result.situations());
    }
    Set<Situation> missing = EnumSet.noneOf(Situation.class);
    missing.addAll(situations.missing());
    missing.removeAll(RARE);
    assertThat(missing).isEmpty();
  }

  @Test
  void holdsEveryInvariantInAStormAndInACalm() {
    for (long seed = 1; seed <= 25; seed++) {
      assertThat(Simulation.run(Swarm.derive(seed, "storm")).report()).isEmpty();
      RunResult calm = Simulation.run(Swarm.derive(seed, "calm"));
      assertThat(calm.report()).isEmpty();
      assertThat(calm.situations().count(Situation.OBJECT_LOST_WITH_ITS_RUNTIMES)).isZero();
    }
  }

  @Test
  void runsASeedTheSameEveryTime() {
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(DeterminismCheck.differenceOrEmpty(seed, "swarm")).isEmpty();
    }
  }

  @Test
  void runsAnotherSeedDifferently() {
    assertThat(Simulation.run(Swarm.derive(1, "swarm")).hash())
        .isNotEqualTo(Simulation.run(Swarm.derive(2, "swarm")).hash());
  }

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void findsEveryPlantedBug(Mutant mutant) {
    MutantHunt.Found found = MutantHunt.hunt(mutant, 1, 300);
    assertThat(found).as("%s within 300 seeds", mutant).isNotNull();
    if (found != null) {
      assertThat(found.invariant()).isNotEqualTo(Invariant.UNEXPECTED_EXCEPTION);
    }
  }

  @Test
  void reportsAFailureWithItsReplayCommandAndItsLastEvents() {
    MutantHunt.Found found = MutantHunt.hunt(Mutant.APPLY_READS_LOCAL_CLOCK, 1, 50);
    assertThat(found).isNotNull();
    if (found != null) {
      RunResult result =
          Simulation.run(
              Swarm.derive(found.seed(), "swarm").withMutant(Mutant.APPLY_READS_LOCAL_CLOCK));
      assertThat(result.report())
          .contains("FAIL invariant=" + found.invariant() + " seed=" + found.seed() + " step=")
          .contains(
              "bin/floe sim replay --profile commands --seed "
                  + found.seed()
                  + " --mutant apply-reads-local-clock")
          .contains("applies");
    }
  }

  @SimTest(profile = "commands")
  void passesTheSeedsThatOnceFoundABug(SeedReport report) {
    assertThat(report.cost().steps()).isPositive();
  }

  @SimTest(profile = "commands-calm", seeds = "26..28")
  void passesSeedsOfACalm(SeedReport report) {
    assertThat(report.cost().steps()).isPositive();
  }

  @SimTest(profile = "commands-storm", seeds = "26..28")
  void passesSeedsOfAStorm(SeedReport report) {
    assertThat(report.cost().steps()).isPositive();
  }
}
