package dev.floe.sim.ratis;

import java.util.HashMap;
import java.util.Map;

/// State machine safety, looked at after every apply: an index has one entry and leads to one
/// state, on every replica and in every life of it; within a life indexes only grow.
///
/// The digest stands for the state, so a replica that computed another state from the same entries
/// is found at the first index where it did.
final class ApplyOracle {
  private final Map<Long, Applied> byIndex = new HashMap<>();
  private final Map<String, Long> lastOfLife = new HashMap<>();
  private long entries;

  private record Applied(long term, int entryHash, long digest, String life) {}

  /// Takes note of an apply.
  ///
  /// @throws AssertionError naming both sides when they differ
  void applied(String life, long term, long index, int entryHash, long digest) {
    entries++;
    Applied now = new Applied(term, entryHash, digest, life);
    Applied before = byIndex.putIfAbsent(index, now);
    if (before != null
        && (before.term != term || before.entryHash != entryHash || before.digest != digest)) {
      throw new AssertionError(
          "STATE_MACHINE_SAFETY: index " + index + " is " + before + " and " + now);
    }
    Long last = lastOfLife.put(life, index);
    if (last != null && index <= last) {
      throw new AssertionError("APPLY_ORDER: " + life + " applied " + index + " after " + last);
    }
  }

  /// How many applies were looked at.
  long entries() {
    return entries;
  }

  /// The last index that anyone applied; 0 for none.
  long maxIndex() {
    return byIndex.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /// The highest term seen.
  long maxTerm() {
    return byIndex.values().stream().mapToLong(Applied::term).max().orElse(0);
  }
}
