package dev.floe.meta.state;

import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.place.StableHash;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.meta.state.table.RecordHash;
import dev.floe.meta.state.table.SessionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Checks everything that must hold in a state; reads it whole, so it is for tests, the simulator,
/// restored snapshots and the inspector.
///
/// Live ranges lie within their segments and never overlap; each allocator holds exactly the ranges
/// of routes and quarantine; ids are unique and below their counters; the replicas of an object are
/// on different runtimes; writers have open sessions; counts and digest are those of the records.
public final class StateChecker {
  private static final int PROBLEMS_MAX = 100;

  private final StateCapture capture;
  private final List<String> problems = new ArrayList<>();
  private final Map<SegmentId, Segment> segments = new TreeMap<>();
  private final Map<SegmentId, RangeAllocator> allocators = new TreeMap<>();
  private final Map<RuntimeId, RuntimeRecord> runtimes = new TreeMap<>();
  private final Set<SessionId> sessions = new HashSet<>();
  private final Set<Long> replicaIds = new HashSet<>();
  private final List<RangeChecker.Held> held = new ArrayList<>();
  private long digest;
  private long objects;
  private long objectBytes;
  private long writing;
  private long abandonedBytes;

  private StateChecker(StateCapture capture) {
    this.capture = capture;
  }

  /// What is wrong with a state, up to 100 findings; empty when nothing is. On the applying thread.
  public static List<String> check(MetadataState state) {
    try (StateCapture capture = state.capture()) {
      StateChecker checker = new StateChecker(capture);
      checker.run();
      return checker.problems.size() <= PROBLEMS_MAX
          ? checker.problems
          : checker.problems.subList(0, PROBLEMS_MAX);
    }
  }

  private void run() {
    capture.runtimes().forEach(this::runtime);
    capture.forEachSegment(this::segment);
    capture.forEachSession(this::session);
    capture.forEachRoute(this::route);
    capture.forEachAbandoned(this::abandoned);
    problems.addAll(RangeChecker.placement(segments, held));
    allocators();
    totals();
  }

  private void runtime(RuntimeRecord runtime) {
    runtimes.put(runtime.id(), runtime);
    digest += RecordHash.runtime(runtime);
    require(
        runtime.epoch() < capture.counters().nextEpoch(),
        () -> "runtime " + runtime.id() + " has epoch " + runtime.epoch() + ", not yet given");
  }

  private void segment(Segment segment, RangeAllocator allocator) {
    segments.put(segment.id(), segment);
    allocators.put(segment.id(), allocator);
    digest += RecordHash.segment(segment) + allocator.digest();
    require(
        segment.id().value() < capture.counters().nextSegmentId(),
        () -> segment.id() + " has a number that was not yet given");
    RuntimeRecord runtime = runtimes.get(segment.runtime());
    require(
        runtime != null && runtime.epoch() == segment.epoch(),
        () -> segment.id() + " belongs to an epoch of " + segment.runtime() + " that is over");
  }

  private void session(SessionRecord session) {
    sessions.add(session.id());
    digest +=
        RecordHash.sessionHead(session.id(), session.lastSeenIndex(), session.answeredBelow());
    for (Map.Entry<Long, MetadataReply> reply : session.replies().entrySet()) {
      digest += RecordHash.reply(session.id(), reply.getKey(), reply.getValue());
    }
    require(
        session.replies().isEmpty() || session.replies().firstKey() >= session.answeredBelow(),
        () -> "session " + session.id() + " keeps replies that were answered");
  }

  private void route(ObjectRoute route) {
    digest += RecordHash.route(route);
    ObjectId name = route.id();
    if (route.state() == RouteState.ACTIVE) {
      objects++;
      objectBytes += route.content().sizeBytes();
    }
    ObjectVersion unfinished = route.unfinished();
    if (unfinished != null) {
      writing++;
      require(
          sessions.contains(unfinished.write().writer()),
          () -> "object " + name + " has a writer without session");
    }
    version(route, route.current());
    ObjectVersion next = route.next();
    if (next != null) {
      require(
          next.write().version().compareTo(route.version()) > 0
              && next.retention().group().equals(route.retention().group()),
          () -> "object " + name + " is to be replaced by an older version or another group's");
      version(route, next);
    }
  }

  private void version(ObjectRoute route, ObjectVersion version) {
    ObjectId name = route.id();
    require(!version.replicas().isEmpty(), () -> "object " + name + " has no replica");
    require(
        version.write().version().index() <= capture.appliedIndex(),
        () -> "object " + name + " is of an index to come");
    Set<RuntimeId> holders = new HashSet<>();
    for (Replica replica : version.replicas()) {
      replica(version.equals(route.unfinished()), replica, name);
      switch (replica.location()) {
        case ReplicaLocation.MemoryRange range -> {
          held.add(new RangeChecker.Held(range, name));
          require(
              holders.add(range.runtime()),
              () -> "object " + name + " has two replicas on " + range.runtime());
          require(
              range.lengthBytes() >= Math.max(1, version.content().sizeBytes()),
              () -> "object " + name + " does not fit in " + range);
        }
      }
    }
  }

  private void replica(boolean isWritten, Replica replica, ObjectId name) {
    require(
        replicaIds.add(replica.id()),
        () -> "object " + name + " shares replica id " + replica.id());
    require(
        replica.id() < capture.counters().nextReplicaId(),
        () -> "object " + name + " has replica " + replica.id() + ", not yet given");
    require(
        (replica.status() == ReplicaStatus.PROCESSING) == isWritten,
        () ->
            "object "
                + name
                + (isWritten ? " is being written" : " is complete")
                + " with a replica that is "
                + replica.status());
  }

  private void abandoned(Abandoned abandoned) {
    digest += RecordHash.abandoned(abandoned);
    abandonedBytes += abandoned.range().lengthBytes();
    held.add(new RangeChecker.Held(abandoned.range(), abandoned));
  }

  private void allocators() {
    Map<SegmentId, List<MemoryRange>> bySegment = new HashMap<>();
    held.forEach(
        one ->
            bySegment
                .computeIfAbsent(one.range().segment(), _ -> new ArrayList<>())
                .add(one.range()));
    allocators.forEach(
        (segment, allocator) -> {
          allocator.verify().forEach(problem -> problems.add(segment + ": " + problem));
          problems.addAll(
              RangeChecker.allocator(
                  segment, allocator, bySegment.getOrDefault(segment, List.of())));
        });
  }

  private void totals() {
    long capacity = segments.values().stream().mapToLong(Segment::capacityBytes).sum();
    long used = allocators.values().stream().mapToLong(RangeAllocator::usedBytes).sum();
    MetadataView.Totals expected =
        new MetadataView.Totals(
            objects, objectBytes, writing, sessions.size(), capacity, used, abandonedBytes);
    require(
        expected.equals(capture.totals()),
        () -> "totals are " + capture.totals() + ", the records sum up to " + expected);
    digest += RecordHash.counters(capture.counters());
    long whole = StableHash.add(digest, capture.appliedTimeMillis());
    require(
        whole == capture.digest(),
        () ->
            String.format("the digest is %016x, the records give %016x", capture.digest(), whole));
  }

  private void require(boolean holds, Supplier<String> problem) {
    if (!holds) {
      problems.add(problem.get());
    }
  }
}
