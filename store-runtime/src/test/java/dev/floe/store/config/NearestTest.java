package dev.floe.store.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> KNOWN = List.of("data-dir", "listen", "masters", "node");

  @Test
  void findsTheWordThatWasMeant() {
    assertThat(Nearest.of("data-dri", KNOWN)).isEqualTo("data-dir");
    assertThat(Nearest.of("master", KNOWN)).isEqualTo("masters");
    assertThat(Nearest.of("lisen", KNOWN)).isEqualTo("listen");
  }

  @Test
  void findsNothingWhenNoWordIsClose() {
    assertThat(Nearest.of("replication-factor", KNOWN)).isNull();
    assertThat(Nearest.of("", KNOWN)).isNull();
  }

  @Test
  void aSwapOfNeighboursIsOneEdit() {
    assertThat(Nearest.distance("dri", "dir")).isEqualTo(1);
    assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    assertThat(Nearest.distance("same", "same")).isZero();
  }
}
