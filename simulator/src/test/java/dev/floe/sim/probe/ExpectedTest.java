package dev.floe.sim.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.sim.profile.Profile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ExpectedTest {
  private static final Expected EXPECTED =
      Expected.parse(
          "fleet",
          List.of(
              "# a remark",
              "",
              "fleet 4 a.often",
              "fleet - a.not-here",
              "fleet 100 *",
              "masters 1 b"));

  @Test
  void expectsAPointOfManyRunsButNotOfFew() {
    assertThat(EXPECTED.isExpected("a.often", 3)).isFalse();
    assertThat(EXPECTED.isExpected("a.often", 4)).isTrue();
    assertThat(EXPECTED.isExpected("a.not-here", 1_000_000)).isFalse();
    assertThat(EXPECTED.isExpected("a.seldom", 99)).isFalse();
    assertThat(EXPECTED.isExpected("a.seldom", 100)).isTrue();
    assertThat(Expected.parse("masters", List.of("masters 1 b")).isExpected("c", 100)).isFalse();
  }

  @Test
  void namesTheLineThatIsNone() {
    assertThatThrownBy(() -> Expected.parse("fleet", List.of("fleet many a")))
        .hasMessageContaining("'fleet many a'")
        .hasMessageContaining("for example");
  }

  @Test
  void countsAsMissingWhatSoManyRunsShouldHaveSeen() {
    ProbeCatalogue points =
        new ProbeCatalogue(new TreeSet<>(), new TreeSet<>(Set.of("a.often", "a.not-here", "c")));
    Coverage coverage = new Coverage(points, EXPECTED);
    for (int run = 0; run < 3; run++) {
      coverage.add(Map.of(), Map.of("c", 1L));
    }
    assertThat(coverage.missing()).isEmpty();
    coverage.add(Map.of(), Map.of());
    assertThat(coverage.missing()).containsExactly("a.often");
    assertThat(coverage.never()).containsExactly("a.not-here", "a.often");
  }

  @Test
  void refusesToExpectWhatDoesNotExist() {
    ProbeCatalogue points = new ProbeCatalogue(new TreeSet<>(), new TreeSet<>(Set.of("a.often")));
    assertThatThrownBy(() -> new Coverage(points, EXPECTED)).hasMessageContaining("a.not-here");
  }

  @Test
  void everyPointOfTheFileExists() throws IOException {
    for (Profile profile : Profile.values()) {
      ProbeCatalogue points = ProbeCatalogue.ofClassPath(System.getProperty("java.class.path"));
      points.situations().addAll(profile.situations());
      assertThat(new Coverage(points, Expected.of(profile.toString())).all()).isPositive();
    }
  }
}
