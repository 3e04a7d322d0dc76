package dev.floe.meta.state;

import dev.floe.core.probe.Probe;
import dev.floe.meta.command.MetadataCommand.Evict;
import dev.floe.meta.command.MetadataCommand.Victim;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Takes memory replicas away to make room. What the leader saw when it chose is looked at again.
final class EvictCommand {
  private final StateParts parts;
  private final RouteDrops drops;

  EvictCommand(StateParts parts, RouteDrops drops) {
    this.parts = parts;
    this.drops = drops;
  }

  MetadataReply apply(ApplyContext context, Evict command) {
    Map<ObjectId, RouteVersion> proposed = new HashMap<>();
    command.victims().forEach(victim -> proposed.put(victim.id(), victim.version()));
    int objects = 0;
    long bytes = 0;
    for (Victim victim : command.victims()) {
      ObjectRoute route = victimOf(context, command, victim.id(), victim.version());
      if (route == null || !isWholeGroupProposed(context, command, route, proposed)) {
        continue;
      }
      // All of the group at once: the next look at it would find it broken up.
      for (ObjectId member : parts.objects.indexes().groups().membersWith(route)) {
        ObjectRoute gone = parts.objects.get(member);
        if (gone != null && isEvictable(context, command, gone)) {
          objects++;
          bytes += memoryBytes(gone);
          drops.free(gone);
        }
      }
    }
    return new MetadataReply.Evicted(objects, bytes);
  }

  /// The route when it is still the one that was seen and may go; else null.
  private @Nullable ObjectRoute victimOf(
      ApplyContext context, Evict command, ObjectId id, RouteVersion version) {
    ObjectRoute route = parts.objects.get(id);
    if (route == null || !route.version().equals(version)) {
      Probe.sometimes("evict.passed-over-what-has-changed");
      return null;
    }
    return isEvictable(context, command, route) ? route : null;
  }

  private static boolean isEvictable(ApplyContext context, Evict command, ObjectRoute route) {
    return route.state() == RouteState.ACTIVE
        && route.next() == null
        && !route.retention().isHardPinned()
        && (command.takesSoftPinned() || !route.retention().isSoftPinnedAt(context.nowMillis()));
  }

  /// Whether the leader saw every member of the group that would go as it is now: a member that it
  /// did not see may be leased.
  private boolean isWholeGroupProposed(
      ApplyContext context,
      Evict command,
      ObjectRoute route,
      Map<ObjectId, RouteVersion> proposed) {
    for (ObjectId member : parts.objects.indexes().groups().membersWith(route)) {
      ObjectRoute other = parts.objects.get(member);
      if (other != null
          && isEvictable(context, command, other)
          && !other.version().equals(proposed.get(member))) {
        Probe.sometimes("evict.passed-over-a-group-that-has-changed");
        return false;
      }
    }
    return true;
  }

  private static long memoryBytes(ObjectRoute route) {
    long bytes = 0;
    for (Replica replica : route.replicas()) {
      bytes +=
          switch (replica.location()) {
            case MemoryRange range -> range.lengthBytes();
          };
    }
    return bytes;
  }
}
