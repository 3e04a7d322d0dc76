package dev.floe.meta.place;

import dev.floe.meta.model.SegmentId;

/// A segment as placement sees it.
public interface SegmentSpace {
  SegmentId id();

  /// Bytes that can be given out at all.
  long capacityBytes();

  /// Bytes that are not given out.
  long freeBytes();

  /// `allocate` succeeds exactly when `RangeAllocator.rangeBytes` of the request is at most this.
  long largestFreeBytes();

  /// Takes a range; its offset, or `RangeAllocator.NONE`.
  long allocate(long bytes);
}
