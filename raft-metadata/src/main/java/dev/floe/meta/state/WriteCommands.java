package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.probe.Probe;
import dev.floe.meta.command.MetadataCommand.PutEnd;
import dev.floe.meta.command.MetadataCommand.PutRevoke;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.Remove;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Done;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.Retention;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.WriteState;
import dev.floe.meta.place.AllocationStrategy;
import dev.floe.meta.place.Candidate;
import dev.floe.meta.place.PlaceRequest;
import dev.floe.meta.place.Placed;
import dev.floe.meta.place.RangeAllocator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The commands that write and remove objects.
final class WriteCommands {
  private final StateParts parts;
  private final PlacementRing ring;
  private final RouteDrops drops;
  private final WriteChecks checks;

  WriteCommands(StateParts parts, StateConfig config, RouteDrops drops) {
    this.parts = parts;
    this.drops = drops;
    checks = new WriteChecks(config);
    ring = new PlacementRing(parts.runtimes, parts.segments);
  }

  MetadataReply putStart(ApplyContext context, @Nullable SessionId writer, PutStart command) {
    if (writer == null) {
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          "the write of " + command.id() + " has no session that could own it; open one first");
    }
    Failed refusal = WriteChecks.arguments(command);
    ObjectRoute before = parts.objects.get(command.id());
    if (refusal == null && before != null) {
      refusal = checks.takeover(context.nowMillis(), before, writer, command);
    }
    if (refusal != null) {
      return refusal;
    }
    List<Candidate> candidates = ring.candidates();
    PlaceRequest request =
        new PlaceRequest(
            command.sizeBytes(),
            command.placement().replicaCount(),
            command.placement().preferred(),
            context.seed());
    List<Placed> placed =
        AllocationStrategy.of(command.placement().strategy()).place(candidates, request);
    if (placed.isEmpty()) {
      return noRoom(candidates, command.sizeBytes());
    }
    if (before != null && before.unfinished() != null) {
      drops.abandonUnfinished(before);
    }
    return begin(context, writer, command, placed);
  }

  private static Failed noRoom(List<Candidate> candidates, long sizeBytes) {
    if (candidates.isEmpty()) {
      return new Failed(
          ErrorCode.NOT_ENOUGH_RUNTIMES,
          "no runtime that is alive has a mounted segment; start a store");
    }
    long largest = candidates.stream().mapToLong(Candidate::largestFreeBytes).max().orElse(0);
    return new Failed(
        ErrorCode.NO_SPACE,
        sizeBytes
            + " bytes ("
            + RangeAllocator.rangeBytes(sizeBytes)
            + " as a range) fit on none of "
            + candidates.size()
            + " runtimes, the largest free range has "
            + largest
            + " bytes; remove objects or add runtimes");
  }

  private PutStarted begin(
      ApplyContext context, SessionId writer, PutStart command, List<Placed> placed) {
    long firstToken = parts.takeReplicaIds(placed.size());
    List<Replica> replicas = new ArrayList<>(placed.size());
    List<ReplicaTarget> targets = new ArrayList<>(placed.size());
    for (Placed one : placed) {
      MemoryRange range =
          new MemoryRange(one.segment(), one.runtime(), one.offsetBytes(), one.lengthBytes());
      Replica replica = new Replica(firstToken + replicas.size(), ReplicaStatus.PROCESSING, range);
      replicas.add(replica);
      targets.add(new ReplicaTarget(replica, parts.runtimes.require(one.runtime()).dataEndpoint()));
    }
    ObjectRoute current = parts.objects.get(command.id());
    ObjectVersion version =
        new ObjectVersion(
            new ObjectVersion.Content(command.sizeBytes(), 0, command.options().dataType()),
            retention(command, current),
            new WriteState(
                context.version(),
                writer,
                context.nowMillis(),
                firstToken,
                placed.size(),
                command.options().softPin()),
            replicas);
    parts.objects.put(
        current == null
            ? new ObjectRoute(command.id(), RouteState.WRITING, version)
            : current.withNext(version));
    return new PutStarted(context.version(), targets);
  }

  /// What keeps the new version until it is complete; a group and a hard pin stay with an object.
  private static Retention retention(PutStart command, @Nullable ObjectRoute current) {
    return current == null
        ? new Retention(command.options().group(), command.options().isHardPinned(), 0)
        : new Retention(
            current.retention().group(),
            command.options().isHardPinned() || current.retention().isHardPinned(),
            0);
  }

  MetadataReply putEnd(ApplyContext context, PutEnd command) {
    Failed refusal = WriteChecks.checksum(command.checksum());
    ObjectRoute route = parts.objects.get(command.id());
    if (refusal == null) {
      refusal = WriteChecks.tokens(route, command.replicaIds());
    }
    if (refusal == null) {
      refusal = WriteChecks.present(route, command.id());
    }
    if (refusal != null || route == null) {
      return refusal == null ? Done.INSTANCE : refusal;
    }
    Set<Long> named = new HashSet<>(command.replicaIds());
    return WriteChecks.isUnfinished(route, command.replicaIds())
        ? complete(context, route, named, command.checksum())
        : endAgain(route, named, command.checksum());
  }

  private MetadataReply complete(
      ApplyContext context, ObjectRoute route, Set<Long> named, long checksum) {
    ObjectVersion written = route.next() == null ? route.current() : route.next();
    List<Replica> complete = new ArrayList<>();
    List<Replica> failed = new ArrayList<>();
    for (Replica replica : written.replicas()) {
      if (named.contains(replica.id())) {
        complete.add(replica.withStatus(ReplicaStatus.COMPLETE));
      } else {
        failed.add(replica);
      }
    }
    if (complete.isEmpty()) {
      return new Failed(
          ErrorCode.STALE_TOKEN,
          "the named replicas of " + route.id() + " are lost; revoke the write and begin again");
    }
    failed.forEach(replica -> drops.abandon(replica, written));
    boolean replaces = route.next() != null;
    long pinnedBefore = replaces ? route.retention().softPinnedUntilMillis() : 0;
    parts.objects.put(
        new ObjectRoute(
            route.id(),
            RouteState.ACTIVE,
            new ObjectVersion(
                new ObjectVersion.Content(
                    written.content().sizeBytes(), checksum, written.content().dataType()),
                written
                    .retention()
                    .withSoftPinUntil(
                        written.write().softPin().untilMillis(context.nowMillis(), pinnedBefore)),
                written.write(),
                complete)));
    if (replaces) {
      Probe.sometimes("write.replaced-a-version");
      drops.free(route.current());
    }
    return Done.INSTANCE;
  }

  /// A repeated end names all replicas that the first one completed; some may be lost since.
  private static MetadataReply endAgain(ObjectRoute route, Set<Long> named, long checksum) {
    if (!route.replicas().stream().allMatch(replica -> named.contains(replica.id()))) {
      return new Failed(
          ErrorCode.STALE_TOKEN,
          "the write of " + route.id() + " was completed with other replicas");
    }
    if (checksum != route.content().checksum()) {
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          String.format(
              "object %s was completed with checksum %08x, not %08x",
              route.id(), route.content().checksum(), checksum));
    }
    return Done.INSTANCE;
  }

  MetadataReply putRevoke(PutRevoke command) {
    ObjectRoute route = parts.objects.get(command.id());
    Failed refusal = WriteChecks.tokens(route, command.replicaIds());
    if (refusal != null) {
      return refusal;
    }
    if (route == null || route.state() == RouteState.DELETING) {
      return Done.INSTANCE;
    }
    if (WriteChecks.isUnfinished(route, command.replicaIds())) {
      drops.freeUnfinished(route);
      return Done.INSTANCE;
    }
    return new Failed(
        ErrorCode.ALREADY_EXISTS,
        "the write of " + route.id() + " was completed; remove the object instead");
  }

  MetadataReply remove(Remove command) {
    ObjectRoute route = parts.objects.get(command.id());
    if (route == null || route.state() == RouteState.DELETING) {
      return new Failed(ErrorCode.NOT_FOUND, "object " + command.id() + " does not exist");
    }
    if (route.unfinished() != null && !command.isForced()) {
      return new Failed(
          ErrorCode.NOT_READY,
          "object "
              + command.id()
              + " is being "
              + (route.state() == RouteState.WRITING ? "written" : "replaced")
              + "; wait, or remove it by force");
    }
    if (command.leasedMillis() > 0 && !command.isForced()) {
      Probe.sometimes("remove.refused-for-a-lease");
      return new Failed(
          ErrorCode.HAS_LEASE,
          "object "
              + command.id()
              + " may still be read for "
              + command.leasedMillis()
              + " ms; retry after that, or remove it by force");
    }
    drops.free(route);
    return Done.INSTANCE;
  }
}
