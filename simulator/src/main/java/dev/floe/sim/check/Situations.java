package dev.floe.sim.check;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Counts situations over a run or over a batch of runs.
public final class Situations {
  private final Map<Situation, Long> hits = new EnumMap<>(Situation.class);

  /// It happened.
  public void hit(Situation situation) {
    hits.merge(situation, 1L, Long::sum);
  }

  /// How often it happened.
  public long count(Situation situation) {
    return hits.getOrDefault(situation, 0L);
  }

  /// Adds the counts of a run.
  public void addAll(Situations other) {
    other.hits.forEach((situation, count) -> hits.merge(situation, count, Long::sum));
  }

  /// What never happened.
  public List<Situation> missing() {
    return Stream.of(Situation.values()).filter(s -> count(s) == 0).toList();
  }
}
