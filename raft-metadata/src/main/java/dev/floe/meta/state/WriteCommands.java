package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
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
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
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
  private static final long CHECKSUM_MAX = 0xFFFF_FFFFL;

  private final StateParts parts;
  private final StateConfig config;
  private final PlacementRing ring;
  private final RouteDrops drops;

  WriteCommands(StateParts parts, StateConfig config, RouteDrops drops) {
    this.parts = parts;
    this.config = config;
    this.drops = drops;
    ring = new PlacementRing(parts.runtimes, parts.segments);
  }

  MetadataReply putStart(ApplyContext context, @Nullable SessionId writer, PutStart command) {
    if (writer == null) {
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          "the write of " + command.id() + " has no session that could own it; open one first");
    }
    Failed refusal = checkPutStart(command);
    ObjectRoute before = parts.objects.get(command.id());
    if (refusal == null && before != null) {
      refusal = checkTakeover(context, before, writer);
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
    if (before != null) {
      drops.abandon(before);
    }
    return begin(context, writer, command, placed);
  }

  private static @Nullable Failed checkPutStart(PutStart command) {
    if (command.sizeBytes() < 0 || command.sizeBytes() > Limits.OBJECT_BYTES_MAX) {
      return new Failed(
          ErrorCode.INVALID_SIZE,
          "the size of "
              + command.id()
              + ", "
              + command.sizeBytes()
              + " bytes, is not in 0.."
              + Limits.OBJECT_BYTES_MAX);
    }
    int count = command.placement().replicaCount();
    if (count < 1 || count > Limits.REPLICAS_MAX) {
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          count + " replicas asked for, allowed are 1 to " + Limits.REPLICAS_MAX);
    }
    return null;
  }

  private @Nullable Failed checkTakeover(
      ApplyContext context, ObjectRoute before, SessionId asking) {
    return switch (before.state()) {
      case ACTIVE ->
          new Failed(ErrorCode.ALREADY_EXISTS, "object " + before.id() + " exists already");
      case DELETING ->
          new Failed(ErrorCode.NOT_READY, "object " + before.id() + " is being removed");
      case WRITING -> {
        long age = context.nowMillis() - before.write().startMillis();
        long waitMillis = config.discardMillis(before, asking) - context.nowMillis();
        if (waitMillis <= 0) {
          Probe.sometimes("write.taken-over-from-a-silent-writer");
          yield null;
        }
        yield new Failed(
            ErrorCode.WRITE_IN_PROGRESS,
            "object "
                + before.id()
                + " has been written for "
                + age
                + " ms; the write can be taken over in "
                + waitMillis
                + " ms");
      }
    };
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
    parts.objects.put(
        new ObjectRoute(
            command.id(),
            context.version(),
            RouteState.WRITING,
            new ObjectRoute.Content(command.sizeBytes(), 0),
            new WriteState(writer, context.nowMillis(), firstToken, placed.size()),
            replicas));
    return new PutStarted(context.version(), targets);
  }

  MetadataReply putEnd(PutEnd command) {
    if (command.checksum() < 0 || command.checksum() > CHECKSUM_MAX) {
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          "checksum " + command.checksum() + " is not an unsigned 32-bit value");
    }
    ObjectRoute route = parts.objects.get(command.id());
    Failed refusal = checkTokens(route, command.replicaIds());
    if (refusal != null) {
      return refusal;
    }
    if (route == null || route.state() == RouteState.DELETING) {
      return new Failed(
          ErrorCode.NOT_FOUND,
          "object "
              + command.id()
              + " is not there: its write was given up or timed out, or it was removed");
    }
    Set<Long> named = new HashSet<>(command.replicaIds());
    return route.state() == RouteState.WRITING
        ? complete(route, named, command.checksum())
        : endAgain(route, named, command.checksum());
  }

  private MetadataReply complete(ObjectRoute route, Set<Long> named, long checksum) {
    List<Replica> complete = new ArrayList<>();
    List<Replica> failed = new ArrayList<>();
    for (Replica replica : route.replicas()) {
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
    failed.forEach(replica -> drops.abandon(replica, route));
    parts.objects.put(
        new ObjectRoute(
            route.id(),
            route.version(),
            RouteState.ACTIVE,
            new ObjectRoute.Content(route.content().sizeBytes(), checksum),
            route.write(),
            complete));
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
    Failed refusal = checkTokens(route, command.replicaIds());
    if (refusal != null) {
      return refusal;
    }
    if (route == null) {
      return Done.INSTANCE;
    }
    return switch (route.state()) {
      case WRITING -> {
        drops.free(route);
        yield Done.INSTANCE;
      }
      case ACTIVE ->
          new Failed(
              ErrorCode.ALREADY_EXISTS,
              "the write of " + route.id() + " was completed; remove the object instead");
      case DELETING -> Done.INSTANCE;
    };
  }

  /// Whether the tokens are some of those of the route's write (any, when there is no route).
  private static @Nullable Failed checkTokens(@Nullable ObjectRoute route, List<Long> tokens) {
    if (tokens.isEmpty()) {
      return new Failed(ErrorCode.INVALID_ARGUMENT, "no replica is named; name at least one token");
    }
    Set<Long> seen = new HashSet<>();
    for (long token : tokens) {
      if (!seen.add(token)) {
        return new Failed(ErrorCode.STALE_TOKEN, "token " + token + " is named twice");
      }
      if (route != null && !route.write().hasToken(token)) {
        Probe.sometimes("write.end-or-revoke-with-an-old-token");
        return new Failed(
            ErrorCode.STALE_TOKEN,
            "token "
                + token
                + " is not of the current write of "
                + route.id()
                + ", version "
                + route.version());
      }
    }
    return null;
  }

  MetadataReply remove(Remove command) {
    ObjectRoute route = parts.objects.get(command.id());
    if (route == null || route.state() == RouteState.DELETING) {
      return new Failed(ErrorCode.NOT_FOUND, "object " + command.id() + " does not exist");
    }
    if (route.state() == RouteState.WRITING && !command.isForced()) {
      return new Failed(
          ErrorCode.NOT_READY,
          "object " + command.id() + " is being written; wait, or remove it by force");
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
