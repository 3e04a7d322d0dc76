package dev.floe.meta.state;

import dev.floe.core.probe.Probe;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.meta.state.table.RouteIndexes;
import java.util.List;

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

  /// Takes a route away and frees its space.
  void free(ObjectRoute route) {
    parts.objects.remove(route);
    route.replicas().forEach(replica -> parts.segments.free(replica.location()));
  }

  /// Takes an unfinished write away whose writer may still be at work, and puts its space into
  /// quarantine.
  void abandon(ObjectRoute route) {
    parts.objects.remove(route);
    route.replicas().forEach(replica -> quarantine(replica, config.releaseMillis(route)));
  }

  /// Puts the space of a replica that its writer has given up into quarantine; the caller changes
  /// the route.
  void abandon(Replica replica, ObjectRoute route) {
    quarantine(replica, config.abandonedMillis(route));
  }

  private void quarantine(Replica replica, long untilMillis) {
    switch (replica.location()) {
      case ReplicaLocation.MemoryRange range ->
          parts.quarantine.add(new Abandoned(untilMillis, range));
    }
  }

  /// Ends a session in good order: nobody writes any more.
  void closeSession(SessionId session) {
    writesOf(session).forEach(this::free);
    parts.sessions.remove(session);
  }

  /// Ends a session whose client fell silent and may still be writing.
  void expireSession(SessionId session) {
    for (ObjectRoute route : writesOf(session)) {
      Probe.sometimes("write.abandoned-by-an-expired-session");
      parts.objects.remove(route);
      route.replicas().forEach(replica -> abandon(replica, route));
    }
    parts.sessions.remove(session);
  }

  /// Takes a segment away with its replicas and quarantined ranges. The work is proportional to
  /// what lies in it.
  void dropSegment(SegmentId segment) {
    for (ObjectId id : parts.objects.indexes().objectsIn(segment)) {
      ObjectRoute route = parts.objects.get(id);
      if (route == null) {
        throw new IllegalStateException("the index of " + segment + " names " + id);
      }
      List<Replica> left =
          route.replicas().stream()
              .filter(replica -> !RouteIndexes.segmentOf(replica).equals(segment))
              .toList();
      if (left.isEmpty()) {
        Probe.sometimes("object.lost-with-its-last-replica");
        parts.objects.remove(route);
      } else {
        Probe.sometimes("object.goes-on-with-fewer-replicas");
        parts.objects.put(
            new ObjectRoute(
                id, route.version(), route.state(), route.content(), route.write(), left));
      }
    }
    parts.quarantine.dropSegment(segment);
    parts.segments.remove(segment);
  }

  /// Frees quarantined space and unfinished writes whose release timeout has passed, up to `max` of
  /// each: the rest follows with the next tick.
  void releaseDue(long nowMillis, int max) {
    parts.quarantine.takeReleased(nowMillis, max).forEach(parts.segments::free);
    for (int i = 0; i < max; i++) {
      ObjectId next = parts.objects.indexes().nextReleasedWrite();
      ObjectRoute route = next == null ? null : parts.objects.get(next);
      if (route == null || config.releaseMillis(route) > nowMillis) {
        return;
      }
      Probe.sometimes("write.released-after-its-timeout");
      free(route);
    }
  }

  private List<ObjectRoute> writesOf(SessionId session) {
    return parts.objects.indexes().writesOf(session).stream().map(this::writing).toList();
  }

  private ObjectRoute writing(ObjectId id) {
    ObjectRoute route = parts.objects.get(id);
    if (route == null || route.state() != RouteState.WRITING) {
      throw new IllegalStateException("the index of unfinished writes names " + id);
    }
    return route;
  }
}
