package dev.floe.meta.model;

/// The number of a segment, given at mount, increasing and never reused: a remounted segment has
/// another one, so a location kept by a client can never mean a later segment.
public record SegmentId(long value) implements Comparable<SegmentId> {
  @Override
  public int compareTo(SegmentId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "seg-" + value;
  }
}
