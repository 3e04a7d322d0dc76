package dev.floe.meta.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.meta.state.table.Counters;
import org.junit.jupiter.api.Test;

class CountersTest {
  private final StateParts parts = new StateParts();

  @Test
  void afterTheLastNumberNoneIsGivenAgain() {
    parts.counters = new Counters(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
    assertThat(parts.takeReplicaIds(2)).isEqualTo(Long.MAX_VALUE - 2);
    assertThat(parts.takeSegmentId()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(parts.takeEpoch()).isEqualTo(Long.MAX_VALUE - 1);
    Counters end = parts.counters;
    assertThatThrownBy(() -> parts.takeReplicaIds(1)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(parts::takeSegmentId).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(parts::takeEpoch).isInstanceOf(ArithmeticException.class);
    assertThat(parts.counters).isEqualTo(end);
  }
}
