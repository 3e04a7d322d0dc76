package dev.floe.sim.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.junit.SimTest;
import dev.floe.sim.profile.SeedReport;
import dev.floe.sim.vthread.InSimulationJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Real Ratis with the masters of production under faults.
@InSimulationJvm
class RatisScenarioSimTest {
  private static List<RatisRun.Report> run(long... seeds) {
    List<RatisRun.Report> reports = new ArrayList<>();
    RatisRun runs = new RatisRun(RatisScenario.Options.SHORT);
    for (long seed : seeds) {
      RatisRun.Report report = runs.run(seed, null);
      if (report.outcome().failure() != null) {
        throw new AssertionError(report.line(), report.outcome().failure());
      }
      reports.add(report);
    }
    return reports;
  }

  private static long number(RatisRun.Report report, String name) {
    String summary = report.summary();
    int from = summary.indexOf(name + "=") + name.length() + 1;
    int to = from;
    while (to < summary.length() && Character.isDigit(summary.charAt(to))) {
      to++;
    }
    return Long.parseLong(summary.substring(from, to));
  }

  @Test
  void mastersKeepEveryPromiseUnderFaults() {
    List<RatisRun.Report> reports = run(LongStream.rangeClosed(1, 8).toArray());
    assertThat(reports)
        .as("the runs did what they are for")
        .allSatisfy(
            r -> {
              assertThat(number(r, "answered")).isGreaterThan(250);
              assertThat(number(r, "snapshotAt")).as("a snapshot was taken").isPositive();
            })
        .anySatisfy(r -> assertThat(number(r, "logFrom")).as("the log was purged").isPositive())
        .anySatisfy(r -> assertThat(number(r, "terms")).as("leaders changed").isGreaterThan(4));
  }

  @SimTest(profile = "masters", seeds = "21..22")
  void mastersOfTheUsualSizeKeepEveryPromise(SeedReport report) {
    assertThat(report.text().summary()).contains("answered=");
  }

  /// A master that died as leader comes back after the log was purged exactly up to its end: its
  /// log appender of Ratis 3.2.2 died then, and it was left behind for ever.
  @Test
  void aMasterThatIsBehindByExactlyThePurgedLogGetsASnapshot() {
    run(3, 6, 9);
  }

  @Test
  void mastersAreRemovedWipedAndAddedAgainUnderFaults() {
    assertThat(run(14, 19)).allSatisfy(r -> assertThat(number(r, "replaced")).isPositive());
  }

  @Test
  void theSameSeedIsTheSameRunAndAnotherIsNot() {
    List<RatisRun.Report> reports = run(5, 5, 4);
    assertThat(reports.get(1).outcome().hash()).isEqualTo(reports.get(0).outcome().hash());
    assertThat(reports.get(1).outcome().checkpoints())
        .hasSizeGreaterThan(5)
        .isEqualTo(reports.get(0).outcome().checkpoints());
    assertThat(reports.get(2).outcome().hash()).isNotEqualTo(reports.get(0).outcome().hash());
  }
}
