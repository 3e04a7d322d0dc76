package dev.floe.meta.command;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import java.util.List;
import java.util.Map;

/// A change of the replicated state. Every command in every state gets a reply; none throws.
public sealed interface MetadataCommand {
  /// Whether what it does rests on what the leader that proposes it knows alone (leases and clocks),
  /// so that it means nothing in a later leadership.
  ///
  /// Of what clients send, only a plain removal: that no reader has a lease is the leader's word.
  /// The lease in a `RegisterRuntime` is told to the runtime and decides nothing.
  default boolean isDecidedByLeader() {
    return switch (this) {
      case Leader leader -> true;
      case Remove remove -> !remove.isForced();
      case Client client -> false;
    };
  }

  /// Commands that clients and runtimes send.
  sealed interface Client extends MetadataCommand {}

  /// Commands that only the leader proposes. In an entry of another term than its own they are
  /// refused with `NOT_LEADER`.
  sealed interface Leader extends MetadataCommand {}

  /// Opens a client session. Reply: `SessionOpened` with the session's id, or `Failed` with
  /// `OVERLOADED` (too many sessions).
  ///
  /// Every copy of it opens another session; the client uses the one whose reply it got, and the
  /// others end with their leases.
  ///
  /// @param nonce drawn at random; its high half becomes that of the id, so that ids are hard to
  ///     guess
  record OpenSession(SessionId nonce) implements Client {}

  /// Ends a session for ever: its unfinished writes are revoked and their space is free at once.
  /// Reply: `Done`, also when the session is unknown.
  record CloseSession(SessionId session) implements Client {}

  /// Registers a store runtime. The same incarnation again: endpoints and labels are updated, the
  /// epoch stays. Another incarnation: the epoch grows and the memory segments of the old one go
  /// with their replicas; but while the old one is ALIVE with a segment mounted, only a later
  /// process on the same data directory may take its place. Reply: `RuntimeRegistered`, or `Failed`
  /// with `STALE_EPOCH` (a later process on the same data directory is registered),
  /// `RUNTIME_IN_USE` (another process lives under this id), `INVALID_ARGUMENT` (labels) or
  /// `OVERLOADED` (too many).
  ///
  /// @param leasedMillis how long the lease of the runtime's present process still lasts, as the
  ///     leader that proposes it knows, for a refusal to say; 0 when it does not know. What
  ///     a client says here is ignored.
  record RegisterRuntime(
      RuntimeId runtime,
      RuntimeProcess process,
      Endpoint dataEndpoint,
      Map<String, String> labels,
      long leasedMillis)
      implements Client {
    public RegisterRuntime {
      labels = Map.copyOf(labels);
    }

    /// As runtimes ask for it.
    public RegisterRuntime(
        RuntimeId runtime,
        RuntimeProcess process,
        Endpoint dataEndpoint,
        Map<String, String> labels) {
      this(runtime, process, dataEndpoint, labels, 0);
    }

    /// As a runtime without a data directory asks for it.
    public RegisterRuntime(
        RuntimeId runtime,
        SessionId incarnation,
        Endpoint dataEndpoint,
        Map<String, String> labels) {
      this(runtime, RuntimeProcess.withoutDirectory(incarnation), dataEndpoint, labels);
    }

    /// The process's own name.
    public SessionId incarnation() {
      return process.incarnation();
    }
  }

  /// Mounts a memory segment; the same name, epoch and capacity again gives the same segment.
  /// Reply: `SegmentMounted`, or `Failed` with `RUNTIME_NOT_FOUND`, `STALE_EPOCH`, `INVALID_SIZE`,
  /// `INVALID_ARGUMENT` (name), `OVERLOADED` (too many) or `ALREADY_EXISTS` (same name, other
  /// capacity).
  record MountSegment(RuntimeId runtime, long epoch, String name, long capacityBytes)
      implements Client {}

  /// Takes a segment away with all its replicas; an object without another replica is gone. Reply:
  /// `Done`, also when the segment is unknown; `Failed` with `STALE_EPOCH`, `SEGMENT_NOT_FOUND` (of
  /// another runtime).
  record UnmountSegment(RuntimeId runtime, long epoch, SegmentId segment) implements Client {}

  /// Begins a write: allocates replicas on different runtimes. Reply: `PutStarted`, or `Failed`
  /// with `ALREADY_EXISTS` (complete object, and the write does not replace), `WRITE_IN_PROGRESS` (a
  /// fresh write of another or the same session), `NO_SPACE` (enough runtimes, none with room),
  /// `NOT_ENOUGH_RUNTIMES` (none alive with a segment), `INVALID_SIZE`, `INVALID_ARGUMENT` (replica
  /// count, group, soft pin).
  ///
  /// A write that replaces puts its version beside a complete object, which stays readable until
  /// the new version is complete and stays as it is when that never comes. It takes the key from an
  /// unfinished write at once.
  ///
  /// @param sizeBytes 0 to `Limits.OBJECT_BYTES_MAX`; checked in apply
  record PutStart(ObjectId id, long sizeBytes, Placement placement, WriteOptions options)
      implements Client {
    /// A write with nothing special about it.
    public PutStart(ObjectId id, long sizeBytes, Placement placement) {
      this(id, sizeBytes, placement, WriteOptions.DEFAULT);
    }
  }

  /// Completes a write: the named replicas become readable, the write's other replicas go, and
  /// their space follows after the release timeout. A named replica that was lost meanwhile is
  /// passed over while another one is left. Repeating it is a success. Reply: `Done`, or `Failed`
  /// with `NOT_FOUND`, `STALE_TOKEN` (a token is not of the current write or named twice, none of
  /// the named replicas is left, or the write was completed with others), `INVALID_ARGUMENT` (no
  /// token, or another checksum than the one it was completed with).
  ///
  /// @param replicaIds the write tokens of the replicas that hold all bytes; at least one
  /// @param checksum CRC32C of all bytes, unsigned
  record PutEnd(ObjectId id, List<Long> replicaIds, long checksum) implements Client {
    public PutEnd {
      replicaIds = List.copyOf(replicaIds);
    }
  }

  /// Gives a whole write up and frees its space at once. Reply: `Done`, also when nothing is left
  /// of it; `Failed` with `STALE_TOKEN` when the tokens (some of the write's are enough) are not of
  /// the current write, `ALREADY_EXISTS` when that write was completed.
  record PutRevoke(ObjectId id, List<Long> replicaIds) implements Client {
    public PutRevoke {
      replicaIds = List.copyOf(replicaIds);
    }
  }

  /// Removes a complete object. Reply: `Done`, or `Failed` with `NOT_FOUND`, `NOT_READY` (being
  /// written and not forced), `HAS_LEASE` (being read and not forced). Forced: an unfinished write
  /// is removed too, and read leases do not count.
  ///
  /// @param leasedMillis how long the leader that proposes it has granted read leases for, 0 for
  ///     not at all; so a refusal stands in the log under the command's sequence like any other
  ///     answer. What a client says here is ignored.
  record Remove(ObjectId id, boolean isForced, long leasedMillis) implements Client {
    /// As clients ask for it: nobody has looked for leases yet.
    public Remove(ObjectId id, boolean isForced) {
      this(id, isForced, 0);
    }
  }

  /// Does nothing: its application proves that everything before it was applied. Reply: `Done`.
  record Barrier() implements Client {}

  /// Marks runtimes as suspected (named with the epoch that was seen). Reply: `Done`.
  record SuspectRuntimes(List<RuntimeEpoch> runtimes) implements Leader {
    public SuspectRuntimes {
      runtimes = List.copyOf(runtimes);
    }
  }

  /// Brings suspected runtimes back after a renewal. Reply: `Done`.
  record ReviveRuntimes(List<RuntimeEpoch> runtimes) implements Leader {
    public ReviveRuntimes {
      runtimes = List.copyOf(runtimes);
    }
  }

  /// Ends leases: the runtimes' records, memory segments and replicas go. Only SUSPECTED runtimes
  /// of exactly the named epoch are touched. Reply: `Done`.
  record ExpireRuntimes(List<RuntimeEpoch> runtimes) implements Leader {
    public ExpireRuntimes {
      runtimes = List.copyOf(runtimes);
    }
  }

  /// Takes the memory replicas of objects away to make room; an object without another replica is
  /// gone. An object is left alone when its version is another one by now, when it is hard-pinned
  /// or being replaced, and when it is soft-pinned and `takesSoftPinned` is not set; with it its
  /// whole group is. Reply: `Evicted`.
  record Evict(List<Victim> victims, boolean takesSoftPinned) implements Leader {
    public Evict {
      victims = List.copyOf(victims);
    }
  }

  /// Ends client sessions that stopped renewing: their keys become writable at once, the space of
  /// their unfinished writes only after the release timeout. A session that was used in the log
  /// after `seenIndex` is left alone. Reply: `Done`.
  record ExpireSessions(List<SessionId> sessions, long seenIndex) implements Leader {
    public ExpireSessions {
      sessions = List.copyOf(sessions);
    }
  }

  /// The leader's regular entry: advances time, frees abandoned space and unfinished writes whose
  /// release timeout has passed, and names the leader's digest at an earlier index for the others
  /// to compare. Reply: `Done`.
  ///
  /// @param digestIndex an index the leader has applied; 0 for none
  record Tick(long digestIndex, long digest) implements Leader {}

  /// An object to evict, as it was seen.
  record Victim(ObjectId id, RouteVersion version) {}

  /// What a write asks for beside its space.
  ///
  /// @param replaces whether it may take the place of a complete object
  /// @param group to belong to, empty for none; when the object exists, empty or the one it has
  /// @param isHardPinned never to be evicted; a replaced object's pin stays
  record WriteOptions(
      boolean replaces, DataType dataType, String group, boolean isHardPinned, SoftPin softPin) {
    /// A new object that nothing keeps.
    public static final WriteOptions DEFAULT =
        new WriteOptions(false, DataType.UNKNOWN, "", false, SoftPin.Preserve.INSTANCE);

    /// The same, taking the place of a complete object.
    public WriteOptions replacing() {
      return new WriteOptions(true, dataType, group, isHardPinned, softPin);
    }
  }

  /// A runtime at an epoch.
  record RuntimeEpoch(RuntimeId runtime, long epoch) {}

  /// How many replicas a write asks for and how their runtimes are chosen.
  ///
  /// @param replicaCount 1 to `Limits.REPLICAS_MAX`; fewer are given when fewer runtimes have room,
  ///     never none
  /// @param preferred runtimes to try first, in order; may be empty
  record Placement(int replicaCount, Strategy strategy, List<RuntimeId> preferred) {
    public Placement {
      preferred = List.copyOf(preferred);
    }

    /// `count` replicas on the runtimes with the largest share of free space.
    public static Placement replicas(int count) {
      return new Placement(count, Strategy.FREE_RATIO_FIRST, List.of());
    }
  }

  /// How runtimes are ordered for a new replica.
  enum Strategy {
    /// By a hash of the entry's index: spreads without looking.
    RANDOM,
    /// Largest share of free space first, among a sample.
    FREE_RATIO_FIRST
  }
}
