package dev.floe.sim.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class DiagramTest {
  private long nanos;
  private final RunLog log = new RunLog(() -> nanos);

  private void at(double seconds) {
    nanos = Math.round(seconds * 1e9);
  }

  private Diagram aRun() {
    log.process("m1", "starts, life m1.0");
    log.process("c1", "starts, life c1.0");
    at(1);
    log.operation("c1.0-w0", 0);
    log.called("c1.0-w0", "hot-1", "put 5 bytes & more");
    log.called("c1.0-w1", "cold-9", "get");
    at(1.5);
    log.fault("fault 3 KILL_MASTER for 100 ms");
    log.process("m1", "is killed");
    at(2);
    log.answered("c1.0-w0", "hot-1", "stored <3>", 1_000_000_000L);
    return Diagram.of(log, Set.of("hot-1"), 100, 10);
  }

  @Test
  void drawsWhoWasHowWhen() {
    assertThat(aRun().text())
        .isEqualTo(
            """
              seconds  c1 m1
                0.000     *   m1 starts, life m1.0
                0.000  *  |   c1 starts, life c1.0
                1.000  *  |   c1.0-w0 put 5 bytes & more hot-1
                1.500  !  |   -- fault 3 KILL_MASTER for 100 ms
                1.500  !  *   m1 is killed
                2.000  *      c1.0-w0 stored <3> hot-1 (asked at 1.000)
            | up, blank down, : paused, ! waits for an answer about the keys, * the event
            """);
  }

  @Test
  void drawsOnlyTheEndWhenThereIsMuch() {
    aRun();
    Diagram end = Diagram.of(log, Set.of("hot-1"), 2, 10);
    assertThat(end.rows()).hasSize(2);
    assertThat(end.rows().getFirst().text()).isEqualTo("m1 is killed");
  }

  @Test
  void drawsTheMessagesOfTheCallsAboutTheKeysFromSenderToReceiver() {
    log.process("c1", "starts, life 0");
    log.process("m1", "starts, life 0");
    log.process("m2", "starts, life 0");
    log.message("c1", "m1", "too early", 0);
    at(1);
    log.operation("c1.0-w0", 0);
    log.called("c1.0-w0", "hot-1", "removes");
    at(1.002);
    log.message("c1", "m2", "asks submit", 1_001_000_000L);
    for (int i = 0; i < 20; i++) {
      log.message("m2", "m1", "append", 1_002_000_000L);
    }
    at(1.003);
    log.message("m2", "c1", "answers submit", 1_002_500_000L);
    log.answered("c1.0-w0", "hot-1", "removed", 1_000_000_000L);
    at(1.004);
    log.message("c1", "m1", "too late", 1_003_500_000L);
    Diagram diagram = Diagram.of(log, Set.of("hot-1"), 100, 100);
    assertThat(diagram.text())
        .contains("    1.002  o----->   c1 > m2 asks submit (sent at 1.001000)")
        .contains("    1.003  <-----o   m2 > c1 answers submit (sent at 1.002500)")
        .contains("o--> a message")
        .doesNotContain("too early", "too late");
    assertThat(diagram.text().lines().filter(line -> line.contains("m2 > m1 append"))).hasSize(8);
    assertThat(Diagram.of(log, Set.of("hot-1"), 100, 3).rows()).hasSize(5 + 3);
    assertThat(SvgDiagram.draw(diagram, "arrows")).contains("marker-end=\"url(#tip)\"");
  }

  @Test
  void drawsValidSvg() throws Exception {
    String svg = SvgDiagram.draw(aRun(), "seed 1: <lost> & gone");
    var read =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(read.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg).contains("put 5 bytes &amp; more hot-1").contains("&lt;lost&gt;");
  }

  @Test
  void findsTheKeysThatAFailureIsAbout() {
    aRun();
    assertThat(log.keysOf("hot-1 was lost")).containsExactly("hot-1");
    assertThat(log.keysOf("hot-12 was lost")).as("calls under way").containsExactly("cold-9");
  }
}
