package dev.floe.meta.state.table;

import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.Retention;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.place.StableHash;
import java.util.Map;

/// Hashes of single records, whose sum is the state's digest: adding and taking away records in any
/// order gives the same sum (AdHash of Bellare and Micciancio, 1997, without its cryptography).
///
/// Variants have numbers of their own here, so that reordering an enum changes no digest. Words for
/// people are left out: nothing that apply decides depends on them.
public final class RecordHash {
  private static final long ROUTE = 1;
  private static final long RUNTIME = 2;
  private static final long SEGMENT = 3;
  private static final long SESSION = 4;
  private static final long REPLY = 5;
  private static final long ABANDONED = 6;
  private static final long COUNTERS = 7;
  private static final long NEXT = 8;

  private RecordHash() {}

  static long objectId(ObjectId id) {
    return StableHash.add(StableHash.add(0, id.tenant().value()), id.key().value());
  }

  /// Of a route with its replicas.
  public static long route(ObjectRoute route) {
    long hash = StableHash.add(ROUTE, objectId(route.id()));
    hash = version(hash, route.version());
    hash = StableHash.add(hash, number(route.state()));
    hash = objectVersion(hash, route.current());
    ObjectVersion next = route.next();
    return next == null
        ? hash
        : objectVersion(version(StableHash.add(hash, NEXT), next.write().version()), next);
  }

  private static long objectVersion(long before, ObjectVersion version) {
    long hash = StableHash.add(before, version.content().sizeBytes());
    hash = StableHash.add(hash, version.content().checksum());
    hash = session(hash, version.write().writer());
    hash = StableHash.add(hash, version.write().startMillis());
    hash = StableHash.add(hash, version.write().firstToken());
    hash = StableHash.add(hash, version.write().tokenCount());
    for (Replica replica : version.replicas()) {
      hash = replica(hash, replica);
    }
    return options(hash, version);
  }

  /// Nothing for what nobody asked for: records of before there was such a thing keep their hashes.
  private static long options(long before, ObjectVersion version) {
    long hash = before;
    if (version.content().dataType() != DataType.UNKNOWN) {
      hash = StableHash.add(StableHash.add(hash, 1), version.content().dataType().number());
    }
    Retention retention = version.retention();
    if (!retention.equals(Retention.NONE)) {
      hash = StableHash.add(StableHash.add(hash, 2), retention.group());
      hash = StableHash.add(hash, retention.isHardPinned() ? 1 : 0);
      hash = StableHash.add(hash, retention.softPinnedUntilMillis());
    }
    return switch (version.write().softPin()) {
      case SoftPin.Preserve _ -> hash;
      case SoftPin.Disable _ -> StableHash.add(hash, 3);
      case SoftPin.Enable enable -> StableHash.add(StableHash.add(hash, 4), enable.ttlMillis());
    };
  }

  public static long runtime(RuntimeRecord runtime) {
    long hash = StableHash.add(RUNTIME, runtime.id().value());
    hash = session(hash, runtime.process().incarnation());
    hash = session(hash, runtime.process().directory());
    hash = StableHash.add(hash, runtime.process().start());
    hash = StableHash.add(hash, runtime.epoch());
    hash = StableHash.add(hash, number(runtime.state()));
    hash = StableHash.add(hash, runtime.dataEndpoint().host());
    hash = StableHash.add(hash, runtime.dataEndpoint().port());
    // The record keeps its labels sorted by name.
    for (Map.Entry<String, String> label : runtime.labels().entrySet()) {
      hash = StableHash.add(StableHash.add(hash, label.getKey()), label.getValue());
    }
    return hash;
  }

  /// Of a segment without its allocator.
  public static long segment(Segment segment) {
    long hash = StableHash.add(SEGMENT, segment.id().value());
    hash = StableHash.add(hash, segment.runtime().value());
    hash = StableHash.add(hash, segment.epoch());
    hash = StableHash.add(hash, segment.name());
    return StableHash.add(hash, segment.capacityBytes());
  }

  /// Of a session without its replies.
  public static long sessionHead(SessionId id, long lastSeenIndex, long answeredBelow) {
    long hash = session(SESSION, id);
    return StableHash.add(StableHash.add(hash, lastSeenIndex), answeredBelow);
  }

  /// Of a reply that a session keeps.
  public static long reply(SessionId id, long sequence, MetadataReply reply) {
    long hash = StableHash.add(session(REPLY, id), sequence);
    return switch (reply) {
      case MetadataReply.Done _ -> StableHash.add(hash, 1);
      case MetadataReply.RuntimeRegistered registered ->
          StableHash.add(StableHash.add(hash, 2), registered.epoch());
      case MetadataReply.SegmentMounted mounted ->
          StableHash.add(StableHash.add(hash, 3), mounted.segment().value());
      case MetadataReply.PutStarted started -> {
        long sum = version(StableHash.add(hash, 4), started.version());
        for (MetadataReply.ReplicaTarget target : started.targets()) {
          sum = replica(sum, target.replica());
          sum = StableHash.add(sum, target.endpoint().host());
          sum = StableHash.add(sum, target.endpoint().port());
        }
        yield sum;
      }
      // Not the message: masters of two releases may word an error differently and still agree.
      case MetadataReply.Failed failed ->
          StableHash.add(StableHash.add(hash, 5), failed.code().number());
      case MetadataReply.SessionOpened opened -> session(StableHash.add(hash, 6), opened.session());
      case MetadataReply.Evicted evicted ->
          StableHash.add(
              StableHash.add(StableHash.add(hash, 7), evicted.objects()), evicted.bytes());
    };
  }

  /// Of a range in quarantine.
  public static long abandoned(Abandoned abandoned) {
    return location(StableHash.add(ABANDONED, abandoned.releaseMillis()), abandoned.range());
  }

  /// Of the numbers to give out next.
  public static long counters(Counters counters) {
    long hash = StableHash.add(COUNTERS, counters.nextReplicaId());
    return StableHash.add(StableHash.add(hash, counters.nextSegmentId()), counters.nextEpoch());
  }

  private static long version(long hash, RouteVersion version) {
    return StableHash.add(StableHash.add(hash, version.index()), version.ordinal());
  }

  private static long session(long hash, SessionId id) {
    return StableHash.add(StableHash.add(hash, id.high()), id.low());
  }

  private static long replica(long hash, Replica replica) {
    long sum = StableHash.add(hash, replica.id());
    return location(StableHash.add(sum, number(replica.status())), replica.location());
  }

  private static long location(long hash, ReplicaLocation location) {
    return switch (location) {
      case ReplicaLocation.MemoryRange range -> {
        long sum = StableHash.add(StableHash.add(hash, 1), range.segment().value());
        sum = StableHash.add(sum, range.runtime().value());
        yield StableHash.add(StableHash.add(sum, range.offsetBytes()), range.lengthBytes());
      }
    };
  }

  private static int number(RouteState state) {
    return switch (state) {
      case WRITING -> 1;
      case ACTIVE -> 2;
      case DELETING -> 3;
    };
  }

  private static int number(RuntimeState state) {
    return switch (state) {
      case ALIVE -> 1;
      case SUSPECTED -> 2;
    };
  }

  private static int number(ReplicaStatus status) {
    return switch (status) {
      case PROCESSING -> 1;
      case COMPLETE -> 2;
    };
  }
}
