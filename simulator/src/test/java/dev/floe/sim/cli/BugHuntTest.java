package dev.floe.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.profile.PlantedBug;
import dev.floe.sim.profile.Profile;
import dev.floe.sim.profile.SeedReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BugHuntTest {
  private static final PlantedBug BUG =
      new PlantedBug("a-bug", Profile.COMMANDS, Set.of("OVERLAP"));

  private static SeedReport report(long seed, String invariant) {
    return new SeedReport(
        seed,
        invariant,
        "",
        new SeedReport.Cost(0, 1000, 500, 0),
        new SeedReport.Text("", ""),
        List.of(),
        Map.of());
  }

  /// Plays a hunt in which some seeds fail.
  private static List<Long> play(BugHunt hunt, Map<Long, String> failing) {
    List<Long> seeds = new ArrayList<>();
    while (hunt.hasNext()) {
      long seed = hunt.nextLong();
      seeds.add(seed);
      hunt.take(report(seed, failing.getOrDefault(seed, "")));
    }
    return seeds;
  }

  @Test
  void goesOnWithTheNextStartWhenTheRuleHasFailed() {
    BugHunt hunt = new BugHunt(BUG, new SeedRange(1, 10), 3);
    assertThat(play(hunt, Map.of(3L, "OVERLAP", 11L, "OVERLAP", 22L, "OVERLAP")))
        .containsExactly(1L, 2L, 3L, 11L, 21L, 22L);
    assertThat(hunt.isCaughtFromEachStart()).isTrue();
    assertThat(hunt.line()).matches("commands +a-bug +OVERLAP +2 +3 +2\\.0 +1\\.0 +3 1 2");
  }

  @Test
  void doesNotCountARuleThatIsNotThereForTheBug() {
    BugHunt hunt = new BugHunt(BUG, new SeedRange(1, 2), 2);
    assertThat(play(hunt, Map.of(1L, "LEAK", 3L, "OVERLAP"))).containsExactly(1L, 2L, 3L);
    assertThat(hunt.isCaughtFromEachStart()).isFalse();
    assertThat(hunt.line())
        .contains(" >2 ")
        .endsWith("1 MISSED from 1 other rules that failed: {LEAK=1}");
  }
}
