package dev.floe.meta.state.table;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What follows from the routes: who is writing, and which objects lie in a segment. Derived; on
/// the applying thread. Every answer has an order that follows from the routes alone.
public final class RouteIndexes {
  /// Unfinished writes in the order in which their timeouts pass.
  private final TreeMap<Pace, ObjectId> writing = new TreeMap<>();

  private final Map<SessionId, TreeMap<RouteVersion, ObjectId>> writingBySession = new HashMap<>();
  private final Map<SegmentId, TreeMap<Long, ObjectId>> bySegment = new HashMap<>();

  /// When the timeouts of an unfinished write begin to count.
  private record Pace(long millis, RouteVersion version) implements Comparable<Pace> {
    private static final Comparator<Pace> ORDER =
        Comparator.comparingLong(Pace::millis).thenComparing(Pace::version);

    static Pace of(ObjectRoute route) {
      return new Pace(WritePace.millis(route), route.version());
    }

    @Override
    public int compareTo(Pace other) {
      return ORDER.compare(this, other);
    }
  }

  /// Notes that the route `before` (null: none) gave way to `after` (null: none).
  void replaced(@Nullable ObjectRoute before, @Nullable ObjectRoute after) {
    if (before != null && before.state() == RouteState.WRITING) {
      writing.remove(Pace.of(before));
      forget(writingBySession, before.write().writer(), before.version());
    }
    if (after != null && after.state() == RouteState.WRITING) {
      writing.put(Pace.of(after), after.id());
      writingBySession
          .computeIfAbsent(after.write().writer(), _ -> new TreeMap<>())
          .put(after.version(), after.id());
    }
    if (before == null || after == null || !haveSameReplicas(before, after)) {
      if (before != null) {
        before.replicas().forEach(r -> forget(bySegment, segmentOf(r), r.id()));
      }
      if (after != null) {
        for (Replica replica : after.replicas()) {
          bySegment
              .computeIfAbsent(segmentOf(replica), _ -> new TreeMap<>())
              .put(replica.id(), after.id());
        }
      }
    }
  }

  /// The unfinished write whose release timeout passes first, or null.
  public @Nullable ObjectId nextReleasedWrite() {
    Map.Entry<Pace, ObjectId> first = writing.firstEntry();
    return first == null ? null : first.getValue();
  }

  /// How many writes are unfinished.
  public long writing() {
    return writing.size();
  }

  /// A session's unfinished writes, oldest first.
  public List<ObjectId> writesOf(SessionId session) {
    TreeMap<RouteVersion, ObjectId> own = writingBySession.get(session);
    return own == null ? List.of() : List.copyOf(own.values());
  }

  /// The objects with a replica in the segment, by replica id.
  public List<ObjectId> objectsIn(SegmentId segment) {
    TreeMap<Long, ObjectId> held = bySegment.get(segment);
    return held == null ? List.of() : List.copyOf(held.values());
  }

  /// Where a replica lies.
  public static SegmentId segmentOf(Replica replica) {
    return switch (replica.location()) {
      case ReplicaLocation.MemoryRange range -> range.segment();
    };
  }

  private static boolean haveSameReplicas(ObjectRoute a, ObjectRoute b) {
    if (a.replicas().size() != b.replicas().size()) {
      return false;
    }
    for (int i = 0; i < a.replicas().size(); i++) {
      if (a.replicas().get(i).id() != b.replicas().get(i).id()) {
        return false;
      }
    }
    return true;
  }

  private static <O, K, M extends Map<K, ObjectId>> void forget(Map<O, M> index, O owner, K key) {
    M own = index.get(owner);
    if (own == null || own.remove(key) == null) {
      throw new IllegalStateException("index of " + owner + " does not hold " + key);
    }
    if (own.isEmpty()) {
      index.remove(owner);
    }
  }
}
