package dev.floe.store.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class DurationTextTest {
  @Test
  void readsEveryUnit() {
    assertThat(DurationText.parse("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(DurationText.parse("10s")).isEqualTo(Duration.ofSeconds(10));
    assertThat(DurationText.parse("2m")).isEqualTo(Duration.ofMinutes(2));
    assertThat(DurationText.parse("1 h")).isEqualTo(Duration.ofHours(1));
    assertThat(DurationText.parse("7d")).isEqualTo(Duration.ofDays(7));
    assertThat(DurationText.parse("0")).isEqualTo(Duration.ZERO);
  }

  @Test
  void asksForTheUnit() {
    assertThatThrownBy(() -> DurationText.parse("10")).hasMessageContaining("10ms or 10s");
    assertThatThrownBy(() -> DurationText.parse("10 sec")).hasMessageContaining("not a duration");
    assertThatThrownBy(() -> DurationText.parse("-1s")).hasMessageContaining("not a duration");
  }

  @Property
  void exactTextReadsBackAsTheSameDuration(
      @ForAll @LongRange(min = 0, max = 1L << 49) long millis) {
    Duration duration = Duration.ofMillis(millis);
    assertThat(DurationText.parse(DurationText.exact(duration))).isEqualTo(duration);
  }
}
