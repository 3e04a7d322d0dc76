package dev.floe.meta.ratis.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.meta.ratis.storage.SnapshotTrigger.Thresholds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SnapshotTriggerTest {
  private static final long SECOND = 1_000_000_000L;

  /// Close to the overflow of a ticker's values.
  private static final long T0 = Long.parseLong("9223372035854775807");

  private final SnapshotTrigger trigger =
      new SnapshotTrigger(
          new Thresholds(10, 1000, Duration.ofSeconds(60), Duration.ofSeconds(5)), T0);

  @Test
  void entriesMakeItDue() {
    for (int i = 0; i < 9; i++) {
      trigger.applied(1);
    }
    assertThat(trigger.isDue(T0)).isFalse();
    trigger.applied(1);
    assertThat(trigger.isDue(T0)).isTrue();
    trigger.captured(T0);
    assertThat(trigger.isDue(T0)).isFalse();
  }

  @Test
  void bytesMakeItDueThoughEntriesAreFew() {
    trigger.applied(999);
    assertThat(trigger.isDue(T0)).isFalse();
    trigger.applied(1);
    assertThat(trigger.isDue(T0)).isTrue();
  }

  @Test
  void ageMakesItDueOnlyWhenThereIsSomethingNew() {
    assertThat(trigger.isDue(T0 + 61 * SECOND)).isFalse();
    trigger.applied(1);
    assertThat(trigger.isDue(T0 + 59 * SECOND)).isFalse();
    assertThat(trigger.isDue(T0 + 60 * SECOND)).isTrue();
  }

  @Test
  void failedWriteIsTriedAgainAfterThePause() {
    trigger.applied(2000);
    trigger.captured(T0);
    trigger.failed(T0 + SECOND);
    assertThat(trigger.isDue(T0 + 2 * SECOND)).isFalse();
    assertThat(trigger.isDue(T0 + 6 * SECOND)).isTrue();
  }

  @Test
  void mastersDoNotAllWriteAtOnce() {
    Thresholds base = Thresholds.DEFAULT;
    assertThat(base.staggered(0)).isEqualTo(base);
    assertThat(base.staggered(1).entries()).isGreaterThan(base.entries());
    assertThat(base.staggered(2).entries()).isGreaterThan(base.staggered(1).entries());
    assertThat(base.staggered(1).age()).isGreaterThan(base.age());
    assertThat(base.staggered(100).entries()).isLessThanOrEqualTo(base.entries() * 3 / 2);
  }
}
