package dev.floe.meta.place;

import dev.floe.meta.model.RuntimeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A runtime that may get a replica.
///
/// @param segments its segments, by id; at least one
public record Candidate(RuntimeId runtime, List<SegmentSpace> segments) {
  public Candidate {
    segments = List.copyOf(segments);
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("runtime " + runtime + " has no segment");
    }
  }

  /// Share of its bytes that are free, 0 to 1.
  double freeRatio() {
    long free = 0;
    long capacity = 0;
    for (SegmentSpace segment : segments) {
      free += segment.freeBytes();
      capacity += segment.capacityBytes();
    }
    return capacity == 0 ? 0 : (double) free / capacity;
  }

  /// The largest range that one of its segments can give.
  public long largestFreeBytes() {
    long largest = 0;
    for (SegmentSpace segment : segments) {
      largest = Math.max(largest, segment.largestFreeBytes());
    }
    return largest;
  }

  /// The segment with room for the range that has the largest share of free space, or null.
  @Nullable SegmentSpace roomiest(long rangeBytes) {
    SegmentSpace best = null;
    double bestRatio = -1;
    for (SegmentSpace segment : segments) {
      if (segment.largestFreeBytes() >= rangeBytes) {
        double ratio = (double) segment.freeBytes() / segment.capacityBytes();
        if (ratio > bestRatio) {
          best = segment;
          bestRatio = ratio;
        }
      }
    }
    return best;
  }
}
