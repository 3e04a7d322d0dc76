package dev.floe.sim.vthread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LocalClockTest {
  private final LocalClock clock = new LocalClock();

  @Test
  void isTheRunsTimeUntilItIsTouched() {
    assertThat(clock.nanos(12_345)).isEqualTo(12_345);
    assertThat(clock.runNanos(700)).isEqualTo(700);
  }

  @Test
  void goesOnWithoutAJumpWhenItsRateChanges() {
    clock.setRate(1_000, 1.5);
    assertThat(clock.nanos(1_000)).isEqualTo(1_000);
    assertThat(clock.nanos(3_000)).isEqualTo(4_000);
    clock.setRate(3_000, 0.5);
    assertThat(clock.nanos(3_000)).isEqualTo(4_000);
    assertThat(clock.nanos(5_000)).isEqualTo(5_000);
  }

  @Test
  void whoWaitsFindsThatItsTimeHasPassed() {
    clock.setRate(0, 1.03);
    for (long wait = 1; wait < 5_000; wait += 7) {
      assertThat(clock.nanos(clock.runNanos(wait))).isGreaterThanOrEqualTo(wait);
    }
  }

  @Test
  void refusesARateThatNoClockHas() {
    assertThatThrownBy(() -> clock.setRate(0, 3)).isInstanceOf(IllegalArgumentException.class);
  }
}
