package dev.floe.sim.check;

import static dev.floe.sim.check.OracleFixture.KEY;
import static dev.floe.sim.check.OracleFixture.assertBreaks;
import static dev.floe.sim.check.OracleFixture.putEnd;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SessionId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandOracleTest {
  private static final MetadataReply DONE = MetadataReply.Done.INSTANCE;

  private final OracleFixture fixture = new OracleFixture();

  @Test
  void acceptsAWholeLifeOfAnObject() {
    List<Replica> replicas = fixture.putStart();
    fixture.send(putEnd(replicas, 5));
    RouteVersion version = fixture.oracle.timeline().versionAt(KEY, fixture.index());
    assertThat(version).isNotNull();
    fixture.send(putEnd(replicas, 5));
    fixture.send(new MetadataCommand.Remove(KEY, false));
    assertThat(fixture.oracle.timeline().versionAt(KEY, fixture.index())).isNull();
    fixture.oracle.checkAll(fixture.state);
  }

  @Test
  void acceptsARetryThatIsAnsweredFromTheTableAndRejectsAnotherAnswer() {
    List<Replica> replicas = fixture.putStart();
    fixture.send(putEnd(replicas, 5));
    long sequence = fixture.lastSequence();
    fixture.repeat(sequence, putEnd(replicas, 5));
    assertThat(fixture.situations.count(Situation.RETRY_ANSWERED_FROM_SESSION_TABLE)).isOne();
    assertBreaks(
        Invariant.EXACTLY_ONCE,
        () ->
            fixture.repeatLying(
                sequence,
                putEnd(replicas, 5),
                reply -> new MetadataReply.Failed(ErrorCode.NOT_FOUND, "gone")));
  }

  @Test
  void acceptsASilentCommandOfAnEndedSessionOnlyWhenItIsRefused() {
    fixture.own(new MetadataCommand.CloseSession(fixture.session));
    fixture.send(new MetadataCommand.Remove(KEY, true));
    assertBreaks(
        Invariant.EXACTLY_ONCE,
        () -> fixture.sendLying(new MetadataCommand.Remove(KEY, true), reply -> DONE));
  }

  @Test
  void rejectsALateRegistrationOfADeadProcessThatTakesALaterOneOver() {
    MetadataCommand late = registration(1);
    fixture.own(registration(2));
    fixture.own(late);
    fixture.oracle.checkAll(fixture.state);
    assertBreaks(
        Invariant.COMMAND_SEMANTICS,
        () -> fixture.ownLying(late, reply -> new MetadataReply.RuntimeRegistered(9)));
  }

  private static MetadataCommand registration(long start) {
    return new MetadataCommand.RegisterRuntime(
        new RuntimeId("s2"),
        new RuntimeProcess(new SessionId(start, 5), new SessionId(6, 6), start),
        new Endpoint("s2", 1),
        Map.of());
  }

  @Test
  void rejectsAnOpeningThatGivesTheIdOfASessionThatHasEnded() {
    fixture.own(new MetadataCommand.CloseSession(fixture.session));
    assertBreaks(
        Invariant.EXACTLY_ONCE,
        () ->
            fixture.ownLying(
                new MetadataCommand.OpenSession(new SessionId(1, 1)),
                reply -> new MetadataReply.SessionOpened(fixture.session)));
  }

  @Test
  void acceptsARemovalThatIsRefusedForALeaseOnlyWhenTheLeaderSawOne() {
    fixture.send(putEnd(fixture.putStart(), 5));
    fixture.send(new MetadataCommand.Remove(KEY, false, 100));
    assertThat(fixture.situations.count(Situation.REMOVE_REFUSED_BY_READ_LEASE)).isOne();
    assertBreaks(
        Invariant.COMMAND_SEMANTICS,
        () ->
            fixture.sendLying(
                new MetadataCommand.Remove(KEY, false),
                reply -> new MetadataReply.Failed(ErrorCode.HAS_LEASE, "read")));
  }

  @Test
  void rejectsARemovalInSpiteOfALease() {
    fixture.send(putEnd(fixture.putStart(), 5));
    assertBreaks(
        Invariant.COMMAND_SEMANTICS,
        () -> fixture.sendLying(new MetadataCommand.Remove(KEY, false, 100), reply -> DONE));
  }

  @Test
  void rejectsAnEndThatAnOldTokenBringsAbout() {
    List<Replica> old = fixture.putStart();
    fixture.send(new MetadataCommand.Remove(KEY, true));
    fixture.putStart();
    assertBreaks(Invariant.TOKEN_SAFETY, () -> fixture.sendLying(putEnd(old, 5), reply -> DONE));
  }

  @Test
  void rejectsARevokeThatAnOldTokenBringsAbout() {
    List<Replica> old = fixture.putStart();
    fixture.send(new MetadataCommand.Remove(KEY, true));
    fixture.putStart();
    assertBreaks(
        Invariant.TOKEN_SAFETY,
        () ->
            fixture.sendLying(
                new MetadataCommand.PutRevoke(KEY, List.of(old.getFirst().id())), reply -> DONE));
  }

  @Test
  void rejectsAStartOverALiveObject() {
    fixture.send(putEnd(fixture.putStart(), 5));
    assertBreaks(
        Invariant.COMMAND_SEMANTICS,
        () -> fixture.sendLying(start(KEY.key().value()), reply -> startedAt(0, 100)));
  }

  @Test
  void rejectsARangeThatOverlapsALiveOne() {
    Replica first = fixture.putStart().getFirst();
    MemoryRange range = (MemoryRange) first.location();
    assertBreaks(
        Invariant.OVERLAP,
        () -> fixture.sendLying(start("other"), reply -> startedAt(range.offsetBytes(), 1000)));
  }

  @Test
  void rejectsARangeInQuarantineUntilItsReleaseTimeout() {
    Replica abandoned = fixture.putStart().getFirst();
    MemoryRange range = (MemoryRange) abandoned.location();
    fixture.own(new MetadataCommand.ExpireSessions(List.of(fixture.session), fixture.index()));
    fixture.timeMillis += OracleFixture.CONFIG.putReleaseMillis() - 1;
    assertBreaks(
        Invariant.OVERLAP,
        () ->
            fixture.sendInNewSessionLying(
                start("other"), reply -> startedAt(range.offsetBytes(), 1000)));
  }

  @Test
  void rejectsTokensAndVersionsThatDoNotGrow() {
    fixture.putStart();
    assertBreaks(
        Invariant.COMMAND_SEMANTICS,
        () -> fixture.sendLying(start("other"), reply -> startedAt(1024, 1)));
    OracleFixture again = new OracleFixture();
    again.putStart();
    again.send(new MetadataCommand.Remove(KEY, true));
    assertBreaks(
        Invariant.VERSION_GROWS,
        () ->
            again.sendLying(
                start(KEY.key().value()),
                reply ->
                    new MetadataReply.PutStarted(
                        new RouteVersion(1, 0), ((MetadataReply.PutStarted) reply).targets())));
  }

  @Test
  void rejectsAStateThatDiffersFromWhatRepliesSay() {
    List<Replica> replicas = fixture.putStart();
    assertBreaks(
        Invariant.COMMAND_SEMANTICS,
        () ->
            fixture.sendLying(
                new MetadataCommand.PutEnd(KEY, List.of(999L), 5),
                reply -> {
                  fixture.state.apply(
                      1,
                      fixture.index() + 1000,
                      new CommandBatch(0, List.of(SessionCommand.unguarded(putEnd(replicas, 1)))));
                  return reply;
                }));
  }

  @Test
  void rejectsAllocatorsThatCountOtherBytesThanRoutesHold() {
    fixture.oracle.checkAll(fixture.state);
    fixture.state.apply(
        1,
        fixture.index() + 1,
        new CommandBatch(0, List.of(new SessionCommand(fixture.session, 100, 1, start("unseen")))));
    assertBreaks(Invariant.ACCOUNTING, () -> fixture.oracle.checkAll(fixture.state));
  }

  @Test
  void rejectsTimeThatGoesBack() {
    fixture.timeMillis -= 5000;
    fixture.own(new MetadataCommand.Barrier());
    assertThat(fixture.situations.count(Situation.CLOCK_OF_LEADER_JUMPED_BACK)).isOne();
    assertBreaks(
        Invariant.TIME_GOES_BACK,
        () ->
            fixture.oracle.applied(
                new CommandOracle.Entry(
                    1, fixture.index() + 1, new CommandBatch(50_000, List.of())),
                List.of(),
                fixture.state));
  }

  private static MetadataCommand.PutStart start(String key) {
    return new MetadataCommand.PutStart(
        ObjectId.of(key), 100, MetadataCommand.Placement.replicas(1));
  }

  private MetadataReply startedAt(long offset, long token) {
    return new MetadataReply.PutStarted(
        new RouteVersion(fixture.index(), 0),
        List.of(
            new MetadataReply.ReplicaTarget(
                new Replica(
                    token,
                    ReplicaStatus.PROCESSING,
                    new MemoryRange(
                        fixture.state.segments().getFirst().segment().id(),
                        new RuntimeId("s1"),
                        offset,
                        128)),
                new Endpoint("s1", 1))));
  }
}
