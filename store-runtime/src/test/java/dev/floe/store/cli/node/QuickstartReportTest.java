package dev.floe.store.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.store.local.QuickstartReport;
import dev.floe.store.local.QuickstartReport.Failover;
import dev.floe.store.local.QuickstartReport.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuickstartReportTest {
  private static QuickstartReport report(List<String> mismatches) {
    return new QuickstartReport(
        3,
        2_000_000_000L,
        new QuickstartReport.Phases(
            new Phase(2_000_000_000L, 2_000_000_000L),
            new Phase(2_000_000_000L, 500_000_000L),
            new Phase(2_000_000_000L, 400_000_000L)),
        new Failover("m1", "m2", 1234, 1300),
        mismatches);
  }

  @Test
  void tellsWhatWasMovedAndHowFast() {
    assertThat(QuickstartCommand.asText(report(List.of())))
        .isEqualTo(
            """

            step                     objects     bytes  GB/s    ms
            put, 2 copies                  3  1.86 GiB  1.00  2000
            get                            3  1.86 GiB  4.00   500
            failover, first read           1         -     -  1234
            failover, first write          1         -     -  1300
            get from the new leader        3  1.86 GiB  5.00   400

            All bytes came back, before and after the failover.
            """);
  }

  @Test
  void namesEveryFileThatDiffered() {
    assertThat(QuickstartCommand.asText(report(List.of("a: gone", "b: byte 7"))))
        .contains("THESE DIFFERED FROM THEIR FILES:\n  a: gone\n  b: byte 7\n")
        .doesNotContain("All bytes came back");
  }

  @Test
  void hasTheSameInJson() {
    assertThat(QuickstartCommand.asJson(report(List.of("a: gone"))).toString())
        .isEqualTo(
            "{objects=3, bytes=2000000000, putGigabytesPerSecond=1.0, getGigabytesPerSecond=4.0,"
                + " getAfterFailoverGigabytesPerSecond=5.0, killedMaster=m1, newLeader=m2,"
                + " failoverReadMillis=1234, failoverWriteMillis=1300, mismatches=[a: gone]}");
  }
}
