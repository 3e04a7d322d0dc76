package dev.floe.meta.state.table;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What follows from the routes: who is writing, which objects lie in a segment or are of a group.
/// Derived; on the applying thread. Every answer has an order that follows from the routes alone.
public final class RouteIndexes {
  /// Unfinished writes in the order in which their timeouts pass.
  private final TreeMap<Pace, ObjectId> writing = new TreeMap<>();

  private final Map<SessionId, TreeMap<RouteVersion, ObjectId>> writingBySession = new HashMap<>();
  private final Map<SegmentId, TreeMap<Long, ObjectId>> bySegment = new HashMap<>();
  private final GroupIndex groups = new GroupIndex();

  /// When the timeouts of an unfinished write begin to count.
  private record Pace(long millis, RouteVersion version) implements Comparable<Pace> {
    private static final Comparator<Pace> ORDER =
        Comparator.comparingLong(Pace::millis).thenComparing(Pace::version);

    static Pace of(ObjectVersion version) {
      return new Pace(WritePace.millis(version), version.write().version());
    }

    @Override
    public int compareTo(Pace other) {
      return ORDER.compare(this, other);
    }
  }

  /// Notes that the route `before` (null: none) gave way to `after` (null: none).
  void replaced(@Nullable ObjectRoute before, @Nullable ObjectRoute after) {
    ObjectVersion writtenBefore = before == null ? null : before.unfinished();
    if (writtenBefore != null) {
      writing.remove(Pace.of(writtenBefore));
      forget(writingBySession, writtenBefore.write().writer(), writtenBefore.write().version());
    }
    ObjectVersion writtenAfter = after == null ? null : after.unfinished();
    if (after != null && writtenAfter != null) {
      writing.put(Pace.of(writtenAfter), after.id());
      writingBySession
          .computeIfAbsent(writtenAfter.write().writer(), _ -> new TreeMap<>())
          .put(writtenAfter.write().version(), after.id());
    }
    if (before == null || after == null || !haveSameReplicas(before, after)) {
      if (before != null) {
        replicasOf(before).forEach(r -> forget(bySegment, segmentOf(r), r.id()));
      }
      if (after != null) {
        replicasOf(after)
            .forEach(
                replica ->
                    bySegment
                        .computeIfAbsent(segmentOf(replica), _ -> new TreeMap<>())
                        .put(replica.id(), after.id()));
      }
    }
    groups.replaced(before, after);
  }

  /// The members of groups.
  public GroupIndex groups() {
    return groups;
  }

  private static Stream<Replica> replicasOf(ObjectRoute route) {
    ObjectVersion next = route.next();
    return next == null
        ? route.replicas().stream()
        : Stream.concat(route.replicas().stream(), next.replicas().stream());
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
    return haveSameReplicas(a.replicas(), b.replicas())
        && haveSameReplicas(nextReplicasOf(a), nextReplicasOf(b));
  }

  private static List<Replica> nextReplicasOf(ObjectRoute route) {
    ObjectVersion next = route.next();
    return next == null ? List.of() : next.replicas();
  }

  private static boolean haveSameReplicas(List<Replica> a, List<Replica> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (a.get(i).id() != b.get(i).id()) {
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
