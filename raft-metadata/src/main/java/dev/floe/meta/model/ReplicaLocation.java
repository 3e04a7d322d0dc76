package dev.floe.meta.model;

/// Where a replica's bytes are.
public sealed interface ReplicaLocation {
  /// A range of a runtime's memory segment.
  ///
  /// @param offsetBytes from the segment's start
  /// @param lengthBytes of the allocated range, at least the object's size and at least 1
  record MemoryRange(SegmentId segment, RuntimeId runtime, long offsetBytes, long lengthBytes)
      implements ReplicaLocation {
    public MemoryRange {
      if (offsetBytes < 0 || lengthBytes <= 0 || offsetBytes > Long.MAX_VALUE - lengthBytes) {
        throw new IllegalArgumentException("range " + offsetBytes + "+" + lengthBytes);
      }
    }
  }
}
