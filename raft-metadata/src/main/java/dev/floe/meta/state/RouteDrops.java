package dev.floe.meta.state;

import dev.floe.core.probe.Probe;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.meta.state.table.RouteIndexes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ways in which a route or a part of it goes, and what becomes of its space.
///
/// Freed space may be given out by the next command: a late writer is fenced by its token alone.
/// Abandoned space waits in quarantine until the write's release timeout: its writer may be alive.
final class RouteDrops {
  private final StateParts parts;
  private final StateConfig config;

  RouteDrops(StateParts parts, StateConfig config) {
    this.parts = parts;
    this.config = config;
  }

  /// Takes a route away and frees the space of all its versions.
  void free(ObjectRoute route) {
    parts.objects.remove(route);
    free(route.current());
    ObjectVersion next = route.next();
    if (next != null) {
      free(next);
    }
  }

  /// Frees the space of a version; the caller changes the route.
  void free(ObjectVersion version) {
    version.replicas().forEach(replica -> parts.segments.free(replica.location()));
  }

  /// Takes the unfinished version of a route away and frees its space; a complete one beside it
  /// stays.
  void freeUnfinished(ObjectRoute route) {
    ObjectVersion unfinished = unfinishedOf(route);
    withoutUnfinished(route);
    free(unfinished);
  }

  /// Takes the unfinished version of a route away whose writer may still be at work, and puts its
  /// space into quarantine; a complete one beside it stays.
  void abandonUnfinished(ObjectRoute route) {
    ObjectVersion unfinished = unfinishedOf(route);
    withoutUnfinished(route);
    unfinished.replicas().forEach(replica -> quarantine(replica, config.releaseMillis(unfinished)));
  }

  /// Puts the space of a replica that its writer has given up into quarantine; the caller changes
  /// the route.
  void abandon(Replica replica, ObjectVersion version) {
    quarantine(replica, config.abandonedMillis(version));
  }

  private void quarantine(Replica replica, long untilMillis) {
    switch (replica.location()) {
      case ReplicaLocation.MemoryRange range ->
          parts.quarantine.add(new Abandoned(untilMillis, range));
    }
  }

  private static ObjectVersion unfinishedOf(ObjectRoute route) {
    ObjectVersion unfinished = route.unfinished();
    if (unfinished == null) {
      throw new IllegalStateException("no unfinished version of " + route.id());
    }
    return unfinished;
  }

  private void withoutUnfinished(ObjectRoute route) {
    if (route.state() == RouteState.WRITING) {
      parts.objects.remove(route);
    } else {
      parts.objects.put(route.withNext(null));
    }
  }

  /// Ends a session in good order: nobody writes any more.
  void closeSession(SessionId session) {
    writesOf(session).forEach(this::freeUnfinished);
    parts.sessions.remove(session);
  }

  /// Ends a session whose client fell silent and may still be writing.
  void expireSession(SessionId session) {
    for (ObjectRoute route : writesOf(session)) {
      Probe.sometimes("write.abandoned-by-an-expired-session");
      ObjectVersion unfinished = unfinishedOf(route);
      withoutUnfinished(route);
      unfinished.replicas().forEach(replica -> abandon(replica, unfinished));
    }
    parts.sessions.remove(session);
  }

  /// Takes a segment away with its replicas and quarantined ranges. The work is proportional to
  /// what lies in it.
  void dropSegment(SegmentId segment) {
    for (ObjectId id : parts.objects.indexes().objectsIn(segment)) {
      ObjectRoute route = parts.objects.get(id);
      // Named twice when both of its versions lie here.
      if (route != null) {
        dropFrom(segment, route);
      }
    }
    parts.quarantine.dropSegment(segment);
    parts.segments.remove(segment);
  }

  private void dropFrom(SegmentId segment, ObjectRoute route) {
    ObjectVersion current = outside(segment, route.current());
    ObjectVersion next = outside(segment, route.next());
    if (current != null) {
      Probe.sometimes("object.goes-on-with-fewer-replicas");
      parts.objects.put(new ObjectRoute(route.id(), route.state(), current, next));
    } else if (next != null) {
      Probe.sometimes("object.lost-while-it-is-replaced");
      parts.objects.put(new ObjectRoute(route.id(), RouteState.WRITING, next));
    } else {
      Probe.sometimes("object.lost-with-its-last-replica");
      parts.objects.remove(route);
    }
  }

  /// A version without its replicas in a segment; null when none is left.
  private static @Nullable ObjectVersion outside(
      SegmentId segment, @Nullable ObjectVersion version) {
    if (version == null) {
      return null;
    }
    List<Replica> left =
        version.replicas().stream()
            .filter(replica -> !RouteIndexes.segmentOf(replica).equals(segment))
            .toList();
    return left.isEmpty() ? null : version.withReplicas(left);
  }

  /// Frees quarantined space and unfinished writes whose release timeout has passed, up to `max` of
  /// each: the rest follows with the next tick.
  void releaseDue(long nowMillis, int max) {
    parts.quarantine.takeReleased(nowMillis, max).forEach(parts.segments::free);
    for (int i = 0; i < max; i++) {
      ObjectId next = parts.objects.indexes().nextReleasedWrite();
      ObjectRoute route = next == null ? null : parts.objects.get(next);
      if (route == null || config.releaseMillis(unfinishedOf(route)) > nowMillis) {
        return;
      }
      Probe.sometimes("write.released-after-its-timeout");
      freeUnfinished(route);
    }
  }

  private List<ObjectRoute> writesOf(SessionId session) {
    return parts.objects.indexes().writesOf(session).stream().map(this::writing).toList();
  }

  private ObjectRoute writing(ObjectId id) {
    ObjectRoute route = parts.objects.get(id);
    if (route == null || route.unfinished() == null) {
      throw new IllegalStateException("the index of unfinished writes names " + id);
    }
    return route;
  }
}
