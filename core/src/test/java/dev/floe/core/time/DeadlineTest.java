package dev.floe.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class DeadlineTest {
  private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();

  @Test
  void timeoutsOfAnyLengthMakeDeadlinesThatCompare() {
    for (long now : new long[] {0, Long.MAX_VALUE - 1, Long.MIN_VALUE, -1}) {
      Deadline soon = Deadline.after(() -> now, Duration.ofSeconds(1));
      Deadline never = Deadline.after(() -> now, FOR_EVER);
      Deadline passed = Deadline.after(() -> now, FOR_EVER.negated());

      assertThat(never.isExpired()).isFalse();
      assertThat(never.remainingNanos()).isEqualTo(1L << 61);
      assertThat(soon.isBefore(never)).isTrue();
      assertThat(passed.isExpired()).isTrue();
      assertThat(passed.isBefore(never)).isTrue();
      assertThat(never.isBefore(passed)).isFalse();
      assertThat(soon.atMost(FOR_EVER)).isSameAs(soon);
      assertThat(never.atMost(Duration.ofSeconds(1)).remainingNanos()).isEqualTo(1_000_000_000);
    }
  }
}
