package dev.floe.meta.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.MountSegment;
import dev.floe.meta.command.MetadataCommand.OpenSession;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.PutEnd;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.RegisterRuntime;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataCommand.Tick;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Drives a state as a leader and well-behaved clients would, and checks it after every entry.
public final class StateDriver {
  public static final long KIB = 1024;
  public static final long MIB = 1024 * KIB;

  private MetadataState state;
  private long index;
  private long nowMillis = 1_000_000;
  private final Map<SessionId, Long> sequences = new HashMap<>();

  public StateDriver() {
    this(new MetadataState(StateConfig.DEFAULT));
  }

  public StateDriver(MetadataState state) {
    this.state = state;
    index = state.appliedIndex();
    nowMillis = Math.max(nowMillis, state.appliedTimeMillis());
  }

  public MetadataState state() {
    return state;
  }

  /// Goes on with another state, e.g. one restored from a snapshot of this one.
  public void replace(MetadataState other) {
    state = other;
  }

  public long index() {
    return index;
  }

  public void passMillis(long millis) {
    nowMillis += millis;
  }

  public List<MetadataReply> apply(SessionCommand... commands) {
    index++;
    List<MetadataReply> replies =
        state.apply(1, index, new CommandBatch(nowMillis, List.of(commands)));
    assertThat(StateChecker.check(state)).isEmpty();
    return replies;
  }

  /// One command outside any session.
  public MetadataReply leader(MetadataCommand command) {
    return apply(SessionCommand.unguarded(command)).getFirst();
  }

  public void tick() {
    leader(new Tick(0, 0));
  }

  /// The next command of a session.
  public MetadataReply in(SessionId session, MetadataCommand command) {
    long sequence = sequences.merge(session, 1L, Long::sum);
    return apply(new SessionCommand(session, sequence, 1, command)).getFirst();
  }

  public SessionId openSession(long name) {
    MetadataReply reply = leader(new OpenSession(new SessionId(name, name)));
    assertThat(reply).isInstanceOf(MetadataReply.SessionOpened.class);
    return ((MetadataReply.SessionOpened) reply).session();
  }

  /// The open session that was asked for by this name.
  public SessionId sessionNamed(long name) {
    return state.sessions().stream().filter(id -> id.high() == name).findFirst().orElseThrow();
  }

  /// Registers a runtime and mounts one segment on it.
  public SegmentId store(String runtime, long capacityBytes) {
    return mount(register(runtime, 1), "memory-0", capacityBytes);
  }

  /// Registers a process that has the runtime's data directory.
  public RuntimeEpoch register(String runtime, long incarnation) {
    MetadataReply reply = leader(registration(runtime, incarnation, runtime.hashCode()));
    return new RuntimeEpoch(
        new RuntimeId(runtime), ((MetadataReply.RuntimeRegistered) reply).epoch());
  }

  /// An incarnation is also its number on its directory.
  public static RegisterRuntime registration(String runtime, long incarnation, long directory) {
    return new RegisterRuntime(
        new RuntimeId(runtime),
        new RuntimeProcess(new SessionId(incarnation, 0), new SessionId(directory, 1), incarnation),
        new Endpoint(runtime + ".local", 7500),
        Map.of("host", runtime),
        8_999);
  }

  public SegmentId mount(RuntimeEpoch runtime, String name, long capacityBytes) {
    MetadataReply reply =
        leader(new MountSegment(runtime.runtime(), runtime.epoch(), name, capacityBytes));
    return ((MetadataReply.SegmentMounted) reply).segment();
  }

  public PutStarted start(SessionId session, String key, long sizeBytes, int replicas) {
    MetadataReply reply =
        in(session, new PutStart(ObjectId.of(key), sizeBytes, Placement.replicas(replicas)));
    assertThat(reply).isInstanceOf(PutStarted.class);
    return (PutStarted) reply;
  }

  /// Writes a whole object.
  public PutStarted put(SessionId session, String key, long sizeBytes, int replicas) {
    PutStarted started = start(session, key, sizeBytes, replicas);
    assertThat(in(session, new PutEnd(ObjectId.of(key), tokens(started), 0xCAFE)))
        .isInstanceOf(MetadataReply.Done.class);
    return started;
  }

  /// A route that is there.
  public ObjectRoute route(String key) {
    return Objects.requireNonNull(state.route(ObjectId.of(key)), key);
  }

  /// A runtime that is there.
  public RuntimeRecord runtime(RuntimeId id) {
    return Objects.requireNonNull(state.runtime(id), id.value());
  }

  public static List<Long> tokens(PutStarted started) {
    return started.targets().stream().map(target -> target.replica().id()).toList();
  }

  public static MemoryRange range(Replica replica) {
    return (MemoryRange) replica.location();
  }

  public static void assertFailed(MetadataReply reply, ErrorCode code) {
    assertThat(reply).isInstanceOf(Failed.class);
    assertThat(((Failed) reply).code()).as(((Failed) reply).message()).isEqualTo(code);
  }

  public static void assertDone(MetadataReply reply) {
    assertThat(reply).isInstanceOf(MetadataReply.Done.class);
  }
}
