package dev.floe.meta.state.table;

import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import java.util.Comparator;

/// A range whose writer may still be writing: allocated, but of no object. Hard state.
///
/// @param releaseMillis state time from which the range may be given out again
public record Abandoned(long releaseMillis, MemoryRange range) implements Comparable<Abandoned> {
  private static final Comparator<Abandoned> ORDER =
      Comparator.comparingLong(Abandoned::releaseMillis)
          .thenComparing(a -> a.range().segment())
          .thenComparingLong(a -> a.range().offsetBytes());

  /// By release time, then place; two ranges at one place never exist at once.
  @Override
  public int compareTo(Abandoned other) {
    return ORDER.compare(this, other);
  }
}
