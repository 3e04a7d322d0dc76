package dev.floe.meta.state;

import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.place.RangeAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Checks of ranges against segments and allocators, on plain data. Pure.
final class RangeChecker {
  private RangeChecker() {}

  /// A range that must be allocated, and what for; the text is made only for a problem.
  record Held(MemoryRange range, Object by) {}

  /// What is wrong with ranges: in no segment, of another runtime, outside of the segment,
  /// overlapping.
  static List<String> placement(Map<SegmentId, Segment> segments, List<Held> held) {
    List<String> problems = new ArrayList<>();
    List<Held> sorted = new ArrayList<>(held);
    sorted.sort(
        Comparator.<Held, SegmentId>comparing(one -> one.range().segment())
            .thenComparingLong(one -> one.range().offsetBytes()));
    Held before = null;
    for (Held one : sorted) {
      MemoryRange range = one.range();
      Segment segment = segments.get(range.segment());
      if (segment == null) {
        problems.add(one.by() + " lies in " + range.segment() + ", which is not mounted");
      } else if (!segment.runtime().equals(range.runtime())) {
        problems.add(one.by() + " names runtime " + range.runtime() + " for " + range.segment());
      } else if (end(range) > segment.capacityBytes()) {
        problems.add(one.by() + " ends at " + end(range) + ", outside of " + range.segment());
      }
      if (before != null
          && before.range().segment().equals(range.segment())
          && end(before.range()) > range.offsetBytes()) {
        problems.add(one.by() + " overlaps " + before.by() + " in " + range.segment());
      }
      before = one;
    }
    return problems;
  }

  /// What differs between the ranges that an allocator holds and those that it should hold.
  static List<String> allocator(
      SegmentId segment, RangeAllocator allocator, List<MemoryRange> expected) {
    List<String> problems = new ArrayList<>();
    SortedMap<Long, Long> missing = new TreeMap<>();
    expected.forEach(range -> missing.put(range.offsetBytes(), range.lengthBytes()));
    allocator.forEachRange(
        (offset, length, isUsed) -> {
          Long wanted = isUsed ? missing.remove(offset) : null;
          if (isUsed && wanted == null) {
            problems.add(segment + " holds " + offset + "+" + length + ", which nobody owns");
          } else if (wanted != null && wanted != length) {
            problems.add(segment + " holds " + length + " bytes at " + offset + ", not " + wanted);
          }
        });
    missing.forEach(
        (offset, length) ->
            problems.add(segment + " does not hold the owned range " + offset + "+" + length));
    return problems;
  }

  private static long end(MemoryRange range) {
    return range.offsetBytes() + range.lengthBytes();
  }
}
