package dev.floe.meta.state.table;

import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.place.SegmentSpace;

/// A mounted segment with its allocator. Hard state; changed by the applying thread, its usage read
/// by any.
public final class SegmentSlot implements SegmentSpace {
  private final Segment segment;
  private final SegmentTable table;
  private RangeAllocator allocator;
  private long allocatorEpoch;
  private volatile long usedBytes;
  private volatile long largestFreeBytes;

  SegmentSlot(Segment segment, SegmentTable table, RangeAllocator allocator, long epoch) {
    this.segment = segment;
    this.table = table;
    this.allocator = allocator;
    this.allocatorEpoch = epoch;
    usedBytes = allocator.usedBytes();
    largestFreeBytes = allocator.largestFreeBytes();
  }

  /// What is mounted; safe for any thread.
  public Segment segment() {
    return segment;
  }

  RangeAllocator allocator() {
    return allocator;
  }

  /// For other threads.
  SegmentUsage usage() {
    return new SegmentUsage(segment, usedBytes, largestFreeBytes);
  }

  @Override
  public SegmentId id() {
    return segment.id();
  }

  @Override
  public long capacityBytes() {
    return allocator.capacityBytes();
  }

  @Override
  public long freeBytes() {
    return allocator.capacityBytes() - allocator.usedBytes();
  }

  @Override
  public long largestFreeBytes() {
    return allocator.largestFreeBytes();
  }

  @Override
  public long allocate(long bytes) {
    unshare();
    long digestBefore = allocator.digest();
    long offset = allocator.allocate(bytes);
    changed(digestBefore);
    return offset;
  }

  void free(long offsetBytes, long lengthBytes) {
    unshare();
    long digestBefore = allocator.digest();
    long freed = allocator.free(offsetBytes);
    if (freed != lengthBytes) {
      throw new IllegalStateException(
          id() + " held " + freed + " bytes at " + offsetBytes + ", not " + lengthBytes);
    }
    changed(digestBefore);
  }

  private void changed(long digestBefore) {
    table.allocatorChanged(allocator.usedBytes() - usedBytes, allocator.digest() - digestBefore);
    usedBytes = allocator.usedBytes();
    largestFreeBytes = allocator.largestFreeBytes();
  }

  private void unshare() {
    if (table.epochs().isShared(allocatorEpoch)) {
      allocator = allocator.successor();
      allocatorEpoch = table.epochs().current();
    }
  }
}
