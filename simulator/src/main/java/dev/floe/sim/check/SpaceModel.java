package dev.floe.sim.check;

import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.SegmentId;
import java.util.Map;
import java.util.TreeMap;

/// Which bytes of which segment belong to whom: live ranges and quarantined ones.
final class SpaceModel {
  private final TreeMap<SegmentId, Space> segments = new TreeMap<>();

  private static final class Space {
    final long capacityBytes;
    final TreeMap<Long, Held> ranges = new TreeMap<>();

    Space(long capacityBytes) {
      this.capacityBytes = capacityBytes;
    }
  }

  /// @param releaseMillis when a quarantined range may be given out again; `Long.MAX_VALUE` while
  ///     it is live
  private record Held(long token, long lengthBytes, long releaseMillis) {}

  void mount(SegmentId segment, long capacityBytes) {
    segments.putIfAbsent(segment, new Space(capacityBytes));
  }

  void unmount(SegmentId segment) {
    segments.remove(segment);
  }

  /// A range was given out at time `nowMillis`.
  ///
  /// @return whether space was used that had been in quarantine
  boolean allocate(Replica replica, long nowMillis) {
    MemoryRange range = range(replica);
    Space space = segments.get(range.segment());
    Violation.unless(
        space != null && range.offsetBytes() + range.lengthBytes() <= space.capacityBytes,
        Invariant.OVERLAP,
        () -> "replica " + replica + " is not within a mounted segment");
    if (space == null) {
      return false;
    }
    long end = range.offsetBytes() + range.lengthBytes();
    boolean reused = false;
    Map.Entry<Long, Held> other = space.ranges.lowerEntry(end);
    while (other != null && other.getKey() + other.getValue().lengthBytes > range.offsetBytes()) {
      Held held = other.getValue();
      Violation.unless(
          held.releaseMillis <= nowMillis,
          Invariant.OVERLAP,
          () ->
              replica
                  + (held.releaseMillis == Long.MAX_VALUE
                      ? " overlaps the live range of token " + held.token
                      : " overlaps the range of token "
                          + held.token
                          + ", in quarantine until "
                          + held.releaseMillis
                          + ", now is "
                          + nowMillis));
      reused = true;
      space.ranges.remove(other.getKey());
      other = space.ranges.lowerEntry(end);
    }
    space.ranges.put(
        range.offsetBytes(), new Held(replica.id(), range.lengthBytes(), Long.MAX_VALUE));
    return reused;
  }

  void free(Replica replica) {
    Space space = segments.get(range(replica).segment());
    if (space != null) {
      space.ranges.remove(range(replica).offsetBytes());
    }
  }

  /// Keeps a range from reuse until `releaseMillis`.
  void quarantine(Replica replica, long releaseMillis) {
    Space space = segments.get(range(replica).segment());
    if (space != null) {
      space.ranges.computeIfPresent(
          range(replica).offsetBytes(),
          (offset, held) -> new Held(held.token, held.lengthBytes, releaseMillis));
    }
  }

  /// Bytes of live ranges in all segments.
  long liveBytes() {
    return segments.values().stream()
        .flatMap(space -> space.ranges.values().stream())
        .filter(held -> held.releaseMillis == Long.MAX_VALUE)
        .mapToLong(held -> held.lengthBytes)
        .sum();
  }

  boolean isMounted(SegmentId segment) {
    return segments.containsKey(segment);
  }

  static MemoryRange range(Replica replica) {
    return switch (replica.location()) {
      case MemoryRange range -> range;
    };
  }
}
