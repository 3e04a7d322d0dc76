package dev.floe.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.junit.SimTest;
import dev.floe.sim.profile.SeedReport;
import dev.floe.sim.vthread.InSimulationJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whole clusters of production nodes under faults.
@InSimulationJvm
class FleetScenarioSimTest {
  private static final FleetOptions MODEL =
      FleetOptions.STANDARD.withLog(FleetOptions.LogKind.MODEL);

  private static List<FleetRun.Report> run(FleetOptions options, long... seeds) {
    List<FleetRun.Report> reports = new ArrayList<>();
    FleetRun runs = new FleetRun(options);
    for (long seed : seeds) {
      FleetRun.Report report = runs.run(seed, null);
      if (report.outcome().failure() != null) {
        throw new AssertionError(report.line(), report.outcome().failure());
      }
      reports.add(report);
    }
    return reports;
  }

  @SimTest(profile = "fleet-model", seeds = "4..9")
  void aClusterOverTheModelLogKeepsEveryPromiseUnderFaults(SeedReport report) {
    assertThat(report.text().summary())
        .as("the run did what it is for")
        .contains("stored=", "got=", "removed=", "faults={")
        .doesNotContain("faults={}", "checkpoints=0");
  }

  @SimTest(profile = "fleet", seeds = "4..5")
  void aClusterOverRatisKeepsEveryPromiseUnderFaults(SeedReport report) {
    assertThat(report.text().summary()).contains("stored=", "got=", "removed=");
  }

  @SimTest(profile = "fleet", seeds = "2")
  void aMasterWhoseDiskLiedIsReplacedAndNothingIsLost(SeedReport report) {
    assertThat(report.text().summary()).contains("LYING_DISK=");
  }

  @Test
  void theSameSeedIsTheSameRunAndAnotherIsNot() {
    List<FleetRun.Report> reports = run(MODEL, 9, 9, 4);
    assertThat(reports.get(1).outcome().hash()).isEqualTo(reports.get(0).outcome().hash());
    assertThat(reports.get(1).outcome().checkpoints())
        .hasSizeGreaterThan(5)
        .isEqualTo(reports.get(0).outcome().checkpoints());
    assertThat(reports.get(2).outcome().hash()).isNotEqualTo(reports.get(0).outcome().hash());
  }

  @ParameterizedTest
  @CsvSource({
    "ack-before-commit, ACKED_DURABILITY, 5",
    "ack-without-writing, ACKED_OBJECT_LOST, 20",
    "forget-lease-on-failover, READ_LEASE, 20",
    "non-idempotent-retry, LINEARIZABILITY, 20"
  })
  void aPlantedDefectIsFoundByTheOracleThatIsThereForIt(
      String mutant, String invariant, int seedsMax) {
    FleetRun runs = new FleetRun(MODEL.withMutant(mutant));
    for (long seed = 1; seed <= seedsMax; seed++) {
      FleetRun.Report report = runs.run(seed, null);
      if (!report.isOk() && invariant.equals(report.invariant())) {
        return;
      }
    }
    throw new AssertionError(mutant + " was not found in " + seedsMax + " seeds");
  }
}
