package dev.floe.meta.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.snapshot.SnapshotReader;
import dev.floe.meta.snapshot.SnapshotWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetadataStatePropertyTest {
  private static final int STEPS = 200;

  private static MetadataState fresh() {
    return new MetadataState(StateConfig.DEFAULT);
  }

  private static MetadataState restored(MetadataState state) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StateCapture capture = state.capture()) {
      SnapshotWriter.write(capture, out);
      return SnapshotReader.read(new ByteArrayInputStream(out.toByteArray()), StateConfig.DEFAULT);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertSound(MetadataState state) {
    List<String> problems = StateChecker.check(state);
    if (!problems.isEmpty()) {
      throw new AssertionError(problems);
    }
  }

  /// One node replays everything, one is restored from snapshots now and then and has captures open
  /// while it applies, one gets session commands twice: they stay equal in state and replies.
  @Property(tries = 40)
  void peersStayEqualWhateverComes(@ForAll long seed) {
    RandomCommands commands = new RandomCommands(seed);
    Random random = new Random(~seed);
    MetadataState replaying = fresh();
    MetadataState restoring = fresh();
    MetadataState repeating = fresh();
    @Nullable StateCapture open = null;
    for (int step = 1; step <= STEPS; step++) {
      CommandBatch batch = commands.nextBatch(4);

      List<MetadataReply> replies = replaying.apply(1, step, batch);
      assertSound(replaying);
      assertThat(restoring.apply(1, step, batch)).isEqualTo(replies);
      applyWithRepeats(repeating, step, batch, replies);

      assertThat(restoring.digest()).isEqualTo(replaying.digest());
      assertThat(repeating.digest()).isEqualTo(replaying.digest());
      commands.learn(step, batch, replies);
      if (random.nextInt(15) == 0) {
        restoring = restored(restoring);
        open = null;
      } else if (open == null) {
        open = restoring.capture();
      } else if (random.nextInt(10) == 0) {
        open.close();
        open = null;
      }
    }
    assertSound(restoring);
    assertSound(repeating);
  }

  /// Appends copies of the batch's own session commands, which must be answered as the originals.
  private static void applyWithRepeats(
      MetadataState state, long index, CommandBatch batch, List<MetadataReply> replies) {
    List<SessionCommand> doubled = new ArrayList<>(batch.commands());
    List<MetadataReply> expected = new ArrayList<>(replies);
    Set<SessionId> unsettled = new HashSet<>();
    for (SessionCommand command : batch.commands()) {
      switch (command.command()) {
        case MetadataCommand.CloseSession one -> unsettled.add(one.session());
        case MetadataCommand.ExpireSessions many -> unsettled.addAll(many.sessions());
        default -> {}
      }
    }
    for (int i = 0; i < replies.size(); i++) {
      SessionCommand command = batch.commands().get(i);
      SessionId session = command.session();
      // Opening and closing bypass the table: a copy of an opening makes another session.
      boolean isPlain =
          !(command.command() instanceof MetadataCommand.OpenSession)
              && !(command.command() instanceof MetadataCommand.CloseSession);
      if (session == null || !isPlain || unsettled.contains(session) || isLaterAnswered(batch, i)) {
        continue;
      }
      doubled.add(command);
      expected.add(replies.get(i));
    }
    assertThat(state.apply(1, index, new CommandBatch(batch.leaderTimeMillis(), doubled)))
        .isEqualTo(expected);
  }

  /// Whether a later command of the batch says that the client has the reply of this one.
  private static boolean isLaterAnswered(CommandBatch batch, int i) {
    SessionCommand command = batch.commands().get(i);
    return batch.commands().stream()
        .anyMatch(
            other ->
                Objects.equals(other.session(), command.session())
                    && other.answeredBelow() > command.sequence());
  }

  /// What single commands may do to the object they name, and that refused ones do nothing.
  @Property(tries = 40)
  void everyCommandDoesWhatItsReplySays(@ForAll long seed) {
    RandomCommands commands = new RandomCommands(seed);
    MetadataState state = fresh();
    Map<ObjectId, RouteVersion> versions = new HashMap<>();
    Set<Long> tokens = new HashSet<>();
    Map<SessionId, Map<Long, MetadataCommand>> ran = new HashMap<>();
    for (int step = 1; step <= STEPS; step++) {
      CommandBatch batch = commands.nextBatch(1);
      SessionCommand command = batch.commands().getFirst();
      ObjectId id = objectOf(command.command());
      ObjectRoute before = id == null ? null : state.route(id);
      World worldBefore = World.of(state);

      MetadataReply reply = state.apply(1, step, batch).getFirst();

      assertSound(state);
      commands.learn(step, batch, List.of(reply));
      if (reply instanceof Failed) {
        assertThat(World.of(state)).as("%s -> %s", command, reply).isEqualTo(worldBefore);
      }
      boolean hasRun = !(reply instanceof Failed) && isFirstRun(ran, command);
      if (hasRun && id != null && reply instanceof PutStarted started) {
        RouteVersion last = versions.put(id, started.version());
        assertThat(last == null || last.compareTo(started.version()) < 0).isTrue();
        assertThat(tokens).doesNotContainAnyElementsOf(StateDriver.tokens(started));
        tokens.addAll(StateDriver.tokens(started));
        assertThat(started.version().index()).isEqualTo(step);
      }
      if (hasRun && id != null) {
        checkRoute(command.command(), reply, before, state.route(id));
      }
    }
  }

  private static boolean isFirstRun(
      Map<SessionId, Map<Long, MetadataCommand>> ran, SessionCommand command) {
    SessionId session = command.session();
    return session == null
        || ran.computeIfAbsent(session, _ -> new HashMap<>())
                .putIfAbsent(command.sequence(), command.command())
            == null;
  }

  private static void checkRoute(
      MetadataCommand command,
      MetadataReply reply,
      @Nullable ObjectRoute before,
      @Nullable ObjectRoute after) {
    switch (command) {
      case MetadataCommand.PutStart start -> {
        assertThat(after).isNotNull();
        ObjectVersion written = after.unfinished();
        assertThat(written).isNotNull();
        assertThat(written.write().version()).isEqualTo(((PutStarted) reply).version());
        assertThat(written.content().sizeBytes()).isEqualTo(start.sizeBytes());
        if (before != null && before.state() == RouteState.ACTIVE) {
          assertThat(start.options().replaces()).isTrue();
          assertThat(after.withNext(null)).isEqualTo(before.withNext(null));
        } else {
          assertThat(after.state()).isEqualTo(RouteState.WRITING);
        }
      }
      case MetadataCommand.PutEnd end when reply instanceof MetadataReply.Done -> {
        assertThat(after).isNotNull();
        assertThat(after.state()).isEqualTo(RouteState.ACTIVE);
        assertThat(after.content().checksum()).isEqualTo(end.checksum());
        assertThat(after.replicas()).allMatch(r -> end.replicaIds().contains(r.id()));
      }
      case MetadataCommand.PutRevoke _ when reply instanceof MetadataReply.Done ->
          assertThat(after)
              .isEqualTo(
                  before == null || before.state() == RouteState.WRITING
                      ? null
                      : before.withNext(null));
      case MetadataCommand.Remove _ when reply instanceof MetadataReply.Done ->
          assertThat(after).isNull();
      default -> assertThat(after).isEqualTo(before);
    }
  }

  private static @Nullable ObjectId objectOf(MetadataCommand command) {
    return switch (command) {
      case MetadataCommand.PutStart start -> start.id();
      case MetadataCommand.PutEnd end -> end.id();
      case MetadataCommand.PutRevoke revoke -> revoke.id();
      case MetadataCommand.Remove remove -> remove.id();
      default -> null;
    };
  }

  /// Keeps the other tests honest: their entries do reach every kind of answer.
  @Test
  void theEntriesReachEveryAnswer() {
    Set<ErrorCode> codes = EnumSet.noneOf(ErrorCode.class);
    Set<String> kinds = new HashSet<>();
    IntStream.range(0, 30)
        .forEach(
            seed -> {
              RandomCommands commands = new RandomCommands(seed);
              MetadataState state = fresh();
              for (int step = 1; step <= STEPS; step++) {
                CommandBatch batch = commands.nextBatch(4);
                List<MetadataReply> replies = state.apply(1, step, batch);
                commands.learn(step, batch, replies);
                for (int i = 0; i < replies.size(); i++) {
                  if (replies.get(i) instanceof Failed failed) {
                    codes.add(failed.code());
                  } else {
                    kinds.add(batch.commands().get(i).command().getClass().getSimpleName());
                  }
                }
              }
            });
    assertThat(codes)
        .containsExactlyInAnyOrder(
            ErrorCode.INVALID_ARGUMENT,
            ErrorCode.INVALID_SIZE,
            ErrorCode.NOT_FOUND,
            ErrorCode.ALREADY_EXISTS,
            ErrorCode.NOT_READY,
            ErrorCode.HAS_LEASE,
            ErrorCode.STALE_TOKEN,
            ErrorCode.STALE_EPOCH,
            ErrorCode.WRITE_IN_PROGRESS,
            ErrorCode.NO_SPACE,
            ErrorCode.NOT_ENOUGH_RUNTIMES,
            ErrorCode.RUNTIME_NOT_FOUND,
            ErrorCode.SEGMENT_NOT_FOUND,
            ErrorCode.SESSION_NOT_FOUND,
            ErrorCode.RUNTIME_IN_USE);
    assertThat(kinds).hasSize(16);
  }

  /// All that readers see besides sessions.
  private record World(
      List<ObjectRoute> objects, Object runtimes, Object segments, long abandonedBytes) {
    static World of(MetadataState state) {
      List<ObjectRoute> objects = new ArrayList<>();
      try (StateCapture capture = state.capture()) {
        capture.forEachRoute(objects::add);
      }
      return new World(
          objects,
          List.copyOf(state.runtimes()),
          List.copyOf(state.segments()),
          state.totals().abandonedBytes());
    }
  }
}
