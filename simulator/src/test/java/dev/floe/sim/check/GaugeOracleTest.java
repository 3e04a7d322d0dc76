package dev.floe.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GaugeOracleTest {
  private final GaugeOracle gauges = new GaugeOracle();

  private static void finds(Invariant invariant, Runnable wrong) {
    assertThatThrownBy(wrong::run)
        .isInstanceOfSatisfying(
            Violation.class, v -> assertThat(v.invariant()).isEqualTo(invariant));
  }

  @Test
  void takesSizesUpToTheBoundAndKeepsTheLargest() {
    gauges.seen("queue", "m1", 3, 10);
    gauges.seen("queue", "m2", 10, 10);
    gauges.seen("queue", "m1", 0, 10);
    gauges.seenQuiet("queue", "m1", 0);
    assertThat(gauges.peaks()).isEqualTo(Map.of("queue", 10L));
  }

  @Test
  void findsASizeAboveItsBound() {
    finds(Invariant.BOUNDED, () -> gauges.seen("queue", "m1", 11, 10));
  }

  @Test
  void findsWhatIsLeftWhenNobodyHasAnythingToDo() {
    gauges.seen("queue", "m1", 1, 10);
    finds(Invariant.LEAK, () -> gauges.seenQuiet("queue", "m1", 1));
  }
}
