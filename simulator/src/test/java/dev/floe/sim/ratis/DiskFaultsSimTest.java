package dev.floe.sim.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.sim.mutant.MasterMutant;
import dev.floe.sim.vthread.InSimulationJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Planted bugs in what masters do with their files are found by the runs that are to find them.
@InSimulationJvm
class DiskFaultsSimTest {
  private static final int SEEDS = 25;

  /// What can come of acknowledged writes that are gone.
  private static final List<String> LOST_WRITES =
      List.of("STATE_MACHINE_SAFETY", "DURABILITY", "EXACTLY_ONCE", "STALE_READ", "RESTART");

  private static String found(MasterMutant mutant) {
    RatisRun runs = new RatisRun(RatisScenario.Options.SHORT, mutant);
    for (long seed = 1; seed <= SEEDS; seed++) {
      RatisRun.Report report = runs.run(seed, null);
      if (!report.isOk()) {
        return report.invariant();
      }
    }
    return "nothing in " + SEEDS + " seeds";
  }

  @Test
  void aLogThatIsNotForcedIsFound() {
    assertThat(found(MasterMutant.LOG_NOT_FORCED)).isIn(LOST_WRITES);
  }

  @Test
  void aSnapshotThatIsNotForcedIsFound() {
    assertThat(found(MasterMutant.SNAPSHOT_NOT_FORCED)).isEqualTo("RESTART");
  }

  @Test
  void aRepairThatCutsTooMuchIsFound() {
    assertThat(found(MasterMutant.REPAIR_CUTS_TOO_MUCH)).isIn(LOST_WRITES);
  }

  @Test
  void aSecondVoteInATermIsFound() {
    VoteOracle oracle = new VoteOracle();
    oracle.voted("m1", 3, "m2");
    oracle.voted("m1", 3, "m2");
    oracle.voted("m1", 4, "m3");
    assertThatThrownBy(() -> oracle.voted("m1", 3, "m3")).hasMessageStartingWith("ONE_VOTE:");
  }
}
