package dev.floe.meta.state;

import static dev.floe.meta.state.StateDriver.KIB;
import static dev.floe.meta.state.StateDriver.MIB;
import static dev.floe.meta.state.StateDriver.assertDone;
import static dev.floe.meta.state.StateDriver.assertFailed;
import static dev.floe.meta.state.StateDriver.range;
import static dev.floe.meta.state.StateDriver.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
import dev.floe.meta.command.MetadataCommand.CloseSession;
import dev.floe.meta.command.MetadataCommand.ExpireRuntimes;
import dev.floe.meta.command.MetadataCommand.ExpireSessions;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.PutEnd;
import dev.floe.meta.command.MetadataCommand.PutRevoke;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.Remove;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataCommand.Strategy;
import dev.floe.meta.command.MetadataCommand.SuspectRuntimes;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteCommandsTest {
  private static final ObjectId K = ObjectId.of("k");

  private final StateDriver driver = new StateDriver();
  private final SessionId session = driver.openSession(1);

  private ObjectRoute route(String key) {
    return driver.route(key);
  }

  private Failed startFails(ObjectId id, long size, Placement placement, ErrorCode code) {
    var reply = driver.in(session, new PutStart(id, size, placement));
    assertFailed(reply, code);
    return (Failed) reply;
  }

  @Test
  void anObjectIsWritingUntilItsEndAndActiveAfterIt() {
    driver.store("a", MIB);
    PutStarted started = driver.start(session, "k", 1000, 1);

    assertThat(route("k").state()).isEqualTo(RouteState.WRITING);
    assertThat(driver.state().totals().writing()).isEqualTo(1);
    assertDone(driver.in(session, new PutEnd(K, tokens(started), 0xFFFF_FFFFL)));

    ObjectRoute route = route("k");
    assertThat(route.state()).isEqualTo(RouteState.ACTIVE);
    assertThat(route.content())
        .isEqualTo(new ObjectVersion.Content(1000, 0xFFFF_FFFFL, DataType.UNKNOWN));
    assertThat(route.version()).isEqualTo(started.version());
    assertThat(route.replicas())
        .extracting(Replica::status)
        .containsExactly(ReplicaStatus.COMPLETE);
    assertThat(driver.state().totals().objects()).isEqualTo(1);
    assertThat(driver.state().totals().objectBytes()).isEqualTo(1000);
  }

  @Test
  void theReplyNamesTheEndpointOfEachReplica() {
    driver.store("a", MIB);
    driver.store("b", MIB);

    PutStarted started = driver.start(session, "k", 1000, 2);

    assertThat(started.targets())
        .extracting(target -> target.endpoint().host())
        .containsExactlyInAnyOrder("a.local", "b.local");
    assertThat(tokens(started)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aSecondWriteOfACompleteObjectIsRefused() {
    driver.store("a", MIB);
    driver.put(session, "k", 10, 1);

    startFails(K, 10, Placement.replicas(1), ErrorCode.ALREADY_EXISTS);
  }

  @Test
  void aFreshWriteKeepsOthersAndItsOwnSessionAway() {
    driver.store("a", MIB);
    driver.start(session, "k", 10, 1);
    SessionId other = driver.openSession(2);

    driver.passMillis(29_999);
    startFails(K, 10, Placement.replicas(1), ErrorCode.WRITE_IN_PROGRESS);
    assertFailed(
        driver.in(other, new PutStart(K, 10, Placement.replicas(1))), ErrorCode.WRITE_IN_PROGRESS);
  }

  @Test
  void aStaleWriteIsTakenOverAndItsSpaceWaitsForTheReleaseTimeout() {
    driver.store("a", MIB);
    PutStarted first = driver.start(session, "k", 1000, 1);
    long firstOffset = range(first.targets().getFirst().replica()).offsetBytes();
    driver.passMillis(30_000);

    SessionId other = driver.openSession(2);
    PutStarted second = driver.start(other, "k", 1000, 1);

    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(range(second.targets().getFirst().replica()).offsetBytes())
        .isNotEqualTo(firstOffset);
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(1024);
    assertFailed(driver.in(session, new PutEnd(K, tokens(first), 1)), ErrorCode.STALE_TOKEN);
    assertFailed(driver.in(session, new PutRevoke(K, tokens(first))), ErrorCode.STALE_TOKEN);
    assertThat(route("k").state()).isEqualTo(RouteState.WRITING);
    assertDone(driver.in(other, new PutEnd(K, tokens(second), 1)));

    driver.passMillis(569_999);
    driver.tick();
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(1024);
    driver.passMillis(1);
    driver.tick();
    assertThat(driver.state().totals().abandonedBytes()).isZero();
    assertThat(driver.state().totals().usedBytes()).isEqualTo(1024);
  }

  @Test
  void aWriteThatNobodyEndsGoesWithTheReleaseTimeout() {
    driver.store("a", MIB);
    driver.start(session, "k", 1000, 1);

    driver.passMillis(599_999);
    driver.tick();
    assertThat(driver.state().route(K)).isNotNull();
    driver.passMillis(1);
    driver.tick();

    assertThat(driver.state().route(K)).isNull();
    assertThat(driver.state().totals().usedBytes()).isZero();
  }

  @Test
  void aLargeWriteKeepsItsKeyAndItsSpaceWhileASlowWriterCouldStillBeAtIt() {
    long sizeBytes = 16L * 1024 * KIB * KIB;
    long transferMillis = 2048 * 1000;
    driver.store("a", 4 * sizeBytes);
    PutStarted first = driver.start(session, "k", sizeBytes, 1);
    driver.passMillis(1);
    driver.start(session, "small", 10, 1);

    driver.passMillis(transferMillis + 29_998);
    driver.tick();
    SessionId other = driver.openSession(2);
    var early = driver.in(other, new PutStart(K, 10, Placement.replicas(1)));

    assertFailed(early, ErrorCode.WRITE_IN_PROGRESS);
    assertThat(((Failed) early).message()).contains("taken over in 1 ms");
    assertThat(driver.state().route(ObjectId.of("small"))).isNull();
    assertDone(driver.in(session, new PutEnd(K, tokens(first), 5)));
    driver.start(session, "again", sizeBytes, 1);
    driver.passMillis(transferMillis + 599_999);
    driver.tick();
    assertThat(route("again").state()).isEqualTo(RouteState.WRITING);
    driver.passMillis(1);
    driver.tick();
    assertThat(driver.state().route(ObjectId.of("again"))).isNull();
  }

  @Test
  void theSpaceOfALargeWriteWhoseWriterIsGoneWaitsNoLongerThanThatOfASmallOne() {
    long sizeBytes = 16L * 1024 * KIB * KIB;
    driver.store("a", 2 * sizeBytes);
    driver.start(session, "k", sizeBytes, 1);
    assertDone(driver.leader(new ExpireSessions(List.of(session), driver.index())));

    driver.passMillis(599_999);
    driver.tick();
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(sizeBytes);
    driver.passMillis(1);
    driver.tick();
    assertThat(driver.state().totals().abandonedBytes()).isZero();
  }

  @Test
  void aSessionTakesItsOwnLargeWriteOverWithoutWaitingForTheBytes() {
    long sizeBytes = 16L * 1024 * KIB * KIB;
    driver.store("a", 4 * sizeBytes);
    PutStarted lost = driver.start(session, "k", sizeBytes, 1);
    driver.passMillis(29_999);
    startFails(K, sizeBytes, Placement.replicas(1), ErrorCode.WRITE_IN_PROGRESS);

    driver.passMillis(1);
    driver.start(session, "k", sizeBytes, 1);

    assertFailed(driver.in(session, new PutEnd(K, tokens(lost), 5)), ErrorCode.STALE_TOKEN);
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(sizeBytes);
  }

  @Test
  void aTakeoverThatFindsNoSpaceChangesNothing() {
    driver.store("a", MIB);
    PutStarted first = driver.start(session, "k", 600 * KIB, 1);
    driver.passMillis(30_073);

    startFails(K, 600 * KIB, Placement.replicas(1), ErrorCode.NO_SPACE);

    assertThat(route("k").version()).isEqualTo(first.version());
    assertDone(driver.in(session, new PutEnd(K, tokens(first), 1)));
  }

  @Test
  void sizesAndReplicaCountsOutOfRangeAreRefused() {
    driver.store("a", MIB);

    startFails(K, -1, Placement.replicas(1), ErrorCode.INVALID_SIZE);
    startFails(K, Long.MIN_VALUE, Placement.replicas(1), ErrorCode.INVALID_SIZE);
    startFails(K, Limits.OBJECT_BYTES_MAX + 1, Placement.replicas(1), ErrorCode.INVALID_SIZE);
    startFails(K, 1, Placement.replicas(0), ErrorCode.INVALID_ARGUMENT);
    startFails(K, 1, Placement.replicas(Limits.REPLICAS_MAX + 1), ErrorCode.INVALID_ARGUMENT);
    startFails(K, Limits.OBJECT_BYTES_MAX, Placement.replicas(1), ErrorCode.NO_SPACE);
  }

  @Test
  void aWriteWithoutSessionIsRefused() {
    driver.store("a", MIB);

    assertFailed(
        driver.leader(new PutStart(K, 1, Placement.replicas(1))), ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void anEmptyObjectTakesOneGranule() {
    driver.store("a", MIB);

    PutStarted started = driver.put(session, "k", 0, 1);

    assertThat(range(started.targets().getFirst().replica()).lengthBytes()).isEqualTo(64);
    assertThat(route("k").content().sizeBytes()).isZero();
  }

  @Test
  void noRuntimeAndNoSpaceAreToldApart() {
    Failed none = startFails(K, 1, Placement.replicas(1), ErrorCode.NOT_ENOUGH_RUNTIMES);
    assertThat(none.message()).contains("no runtime that is alive");
    RuntimeEpoch bare = driver.register("bare", 1);
    startFails(K, 1, Placement.replicas(1), ErrorCode.NOT_ENOUGH_RUNTIMES);
    driver.mount(bare, "m", MIB);
    driver.store("b", 2 * MIB);

    Failed full = startFails(K, 3 * MIB, Placement.replicas(1), ErrorCode.NO_SPACE);

    assertThat(full.message()).contains("3145728 bytes").contains("2 runtimes").contains("2097152");
  }

  @Test
  void suspectedRuntimesGetNoReplicasButKeepReadableOnes() {
    RuntimeEpoch a = driver.register("a", 1);
    driver.mount(a, "m", MIB);
    driver.put(session, "old", 10, 1);

    assertDone(driver.leader(new SuspectRuntimes(List.of(a))));

    startFails(K, 10, Placement.replicas(1), ErrorCode.NOT_ENOUGH_RUNTIMES);
    assertThat(route("old").replicas()).hasSize(1);
  }

  @Test
  void replicasAreOnDifferentRuntimesAndAsManyAsThereIsRoomFor() {
    for (String name : List.of("a", "b", "c")) {
      RuntimeEpoch runtime = driver.register(name, 1);
      driver.mount(runtime, "m0", MIB);
      driver.mount(runtime, "m1", MIB);
    }

    for (Strategy strategy : Strategy.values()) {
      ObjectId id = ObjectId.of(strategy.name());
      var reply = driver.in(session, new PutStart(id, 10, new Placement(8, strategy, List.of())));

      assertThat(((PutStarted) reply).targets())
          .extracting(target -> range(target.replica()).runtime().value())
          .containsExactlyInAnyOrder("a", "b", "c");
    }
  }

  @Test
  void preferredRuntimesComeFirst() {
    for (String name : List.of("a", "b", "c", "d")) {
      driver.store(name, MIB);
    }
    for (Strategy strategy : Strategy.values()) {
      Placement placement =
          new Placement(
              2,
              strategy,
              List.of(new RuntimeId("nobody"), new RuntimeId("d"), new RuntimeId("d")));
      var reply = driver.in(session, new PutStart(ObjectId.of("p" + strategy), 10, placement));

      assertThat(range(((PutStarted) reply).targets().getFirst().replica()).runtime().value())
          .isEqualTo("d");
      assertThat(((PutStarted) reply).targets()).hasSize(2);
    }
  }

  @Test
  void anEndWithSomeTokensCompletesThoseAndQuarantinesTheRest() {
    driver.store("a", MIB);
    driver.store("b", MIB);
    PutStarted started = driver.start(session, "k", 1000, 2);
    List<Long> tokens = tokens(started);

    assertDone(driver.in(session, new PutEnd(K, List.of(tokens.getLast()), 5)));

    assertThat(route("k").replicas()).extracting(Replica::id).containsExactly(tokens.getLast());
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(1024);
    driver.passMillis(600_000);
    driver.tick();
    assertThat(driver.state().totals().usedBytes()).isEqualTo(1024);
  }

  @Test
  void aRepeatedEndIsDoneAndOtherTokensOrAnotherChecksumAreNot() {
    driver.store("a", MIB);
    driver.store("b", MIB);
    List<Long> tokens = tokens(driver.start(session, "k", 10, 2));
    assertDone(driver.in(session, new PutEnd(K, tokens, 5)));

    assertDone(driver.in(session, new PutEnd(K, tokens, 5)));
    assertDone(driver.in(session, new PutEnd(K, tokens.reversed(), 5)));
    assertFailed(driver.in(session, new PutEnd(K, tokens, 6)), ErrorCode.INVALID_ARGUMENT);
    assertFailed(
        driver.in(session, new PutEnd(K, List.of(tokens.getFirst()), 5)), ErrorCode.STALE_TOKEN);
  }

  @Test
  void badTokensChangeNothing() {
    driver.store("a", MIB);
    List<Long> tokens = tokens(driver.start(session, "k", 10, 1));
    long token = tokens.getFirst();
    ObjectRoute before = route("k");

    for (List<Long> bad :
        List.of(
            List.of(token, token),
            List.of(token + 1),
            List.of(token, token + 1),
            List.of(0L),
            List.of(-1L),
            List.of(Long.MIN_VALUE))) {
      assertFailed(driver.in(session, new PutEnd(K, bad, 5)), ErrorCode.STALE_TOKEN);
      assertFailed(driver.in(session, new PutRevoke(K, bad)), ErrorCode.STALE_TOKEN);
    }
    assertFailed(driver.in(session, new PutEnd(K, List.of(), 5)), ErrorCode.INVALID_ARGUMENT);
    assertFailed(driver.in(session, new PutRevoke(K, List.of())), ErrorCode.INVALID_ARGUMENT);
    assertFailed(driver.in(session, new PutEnd(K, tokens, -1)), ErrorCode.INVALID_ARGUMENT);
    assertFailed(driver.in(session, new PutEnd(K, tokens, 1L << 32)), ErrorCode.INVALID_ARGUMENT);
    assertThat(route("k")).isEqualTo(before);
  }

  @Test
  void anEndOfNothingIsNotFound() {
    assertFailed(driver.in(session, new PutEnd(K, List.of(1L), 5)), ErrorCode.NOT_FOUND);
  }

  @Test
  void aWriteSurvivesTheLossOfOneOfItsRuntimes() {
    RuntimeEpoch a = driver.register("a", 1);
    driver.mount(a, "m", MIB);
    driver.store("b", MIB);
    List<Long> tokens = tokens(driver.start(session, "k", 10, 2));
    driver.leader(new SuspectRuntimes(List.of(a)));
    driver.leader(new ExpireRuntimes(List.of(a)));

    assertThat(route("k").replicas()).hasSize(1);
    assertDone(driver.in(session, new PutEnd(K, tokens, 5)));
    assertDone(driver.in(session, new PutEnd(K, tokens, 5)));
    assertThat(route("k").state()).isEqualTo(RouteState.ACTIVE);
  }

  @Test
  void anEndThatNamesOnlyLostReplicasIsStale() {
    RuntimeEpoch a = driver.register("a", 1);
    driver.mount(a, "m", MIB);
    driver.store("b", MIB);
    PutStarted started = driver.start(session, "k", 10, 2);
    long onA =
        started.targets().stream()
            .map(t -> t.replica())
            .filter(r -> range(r).runtime().equals(a.runtime()))
            .findFirst()
            .orElseThrow()
            .id();
    driver.leader(new SuspectRuntimes(List.of(a)));
    driver.leader(new ExpireRuntimes(List.of(a)));

    assertFailed(driver.in(session, new PutEnd(K, List.of(onA), 5)), ErrorCode.STALE_TOKEN);
    assertThat(route("k").state()).isEqualTo(RouteState.WRITING);
  }

  @Test
  void aRevokeFreesAtOnceAndMayBeRepeated() {
    driver.store("a", MIB);
    List<Long> tokens = tokens(driver.start(session, "k", 10, 1));

    assertDone(driver.in(session, new PutRevoke(K, tokens)));

    assertThat(driver.state().route(K)).isNull();
    assertThat(driver.state().totals().usedBytes()).isZero();
    assertDone(driver.in(session, new PutRevoke(K, tokens)));
  }

  @Test
  void aCompletedWriteCannotBeRevoked() {
    driver.store("a", MIB);
    List<Long> tokens = tokens(driver.put(session, "k", 10, 1));

    assertFailed(driver.in(session, new PutRevoke(K, tokens)), ErrorCode.ALREADY_EXISTS);
    assertThat(route("k").state()).isEqualTo(RouteState.ACTIVE);
  }

  @Test
  void removeFreesAtOnceAndTwiceIsNotFound() {
    driver.store("a", MIB);
    driver.put(session, "k", 10, 1);

    assertDone(driver.in(session, new Remove(K, false)));

    assertThat(driver.state().route(K)).isNull();
    assertThat(driver.state().totals().usedBytes()).isZero();
    assertFailed(driver.in(session, new Remove(K, false)), ErrorCode.NOT_FOUND);
    assertFailed(driver.in(session, new Remove(K, true)), ErrorCode.NOT_FOUND);
  }

  @Test
  void anUnfinishedWriteIsRemovedOnlyByForce() {
    driver.store("a", MIB);
    List<Long> tokens = tokens(driver.start(session, "k", 10, 1));

    assertFailed(driver.in(session, new Remove(K, false, 7)), ErrorCode.NOT_READY);
    assertFailed(driver.in(session, new Remove(K, false)), ErrorCode.NOT_READY);
    assertDone(driver.in(session, new Remove(K, true)));
    assertThat(driver.state().route(K)).isNull();
    assertFailed(driver.in(session, new PutEnd(K, tokens, 5)), ErrorCode.NOT_FOUND);
  }

  @Test
  void aClosedSessionFreesItsUnfinishedWritesAndKeepsItsObjects() {
    driver.store("a", MIB);
    driver.put(session, "done", 10, 1);
    driver.start(session, "k", 10, 1);
    SessionId other = driver.openSession(2);
    driver.start(other, "others", 10, 1);

    assertDone(driver.leader(new CloseSession(session)));

    assertThat(driver.state().route(K)).isNull();
    assertThat(driver.state().totals().usedBytes()).isEqualTo(128);
    assertThat(driver.state().totals().abandonedBytes()).isZero();
    assertThat(route("done").state()).isEqualTo(RouteState.ACTIVE);
    assertThat(route("others").state()).isEqualTo(RouteState.WRITING);
  }

  @Test
  void anExpiredSessionLeavesItsKeysWritableAndItsSpaceInQuarantine() {
    driver.store("a", MIB);
    PutStarted first = driver.start(session, "k", 1000, 1);

    assertDone(driver.leader(new ExpireSessions(List.of(session), driver.index())));

    assertThat(driver.state().hasSession(session)).isFalse();
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(1024);
    SessionId other = driver.openSession(2);
    PutStarted second = driver.start(other, "k", 1000, 1);
    assertThat(range(second.targets().getFirst().replica()))
        .isNotEqualTo(range(first.targets().getFirst().replica()));
    assertFailed(driver.leader(new PutEnd(K, tokens(first), 1)), ErrorCode.STALE_TOKEN);
    driver.passMillis(600_000);
    driver.in(other, new PutEnd(K, tokens(second), 1));
    driver.tick();
    assertThat(driver.state().totals().abandonedBytes()).isZero();
    assertThat(driver.state().totals().usedBytes()).isEqualTo(1024);
  }

  @Test
  void replicaIdsAreNeverGivenTwice() {
    driver.store("a", MIB);
    long last = 0;
    for (int i = 0; i < 20; i++) {
      long token = tokens(driver.put(session, "k", 10, 1)).getFirst();
      assertThat(token).isGreaterThan(last);
      last = token;
      driver.in(session, new Remove(K, false));
    }
  }

  @Test
  void aRemovalThatWasProposedUnderALeaseIsRefusedAndAnsweredSoForEver() {
    driver.store("a", MIB);
    driver.put(session, "k", 10, 1);
    SessionCommand remove = new SessionCommand(session, 100, 1, new Remove(K, false, 4321));
    MetadataReply refusal = driver.apply(remove).getFirst();

    assertFailed(refusal, ErrorCode.HAS_LEASE);
    assertThat(((MetadataReply.Failed) refusal).message()).contains("4321 ms");
    SessionCommand copy = new SessionCommand(session, 100, 1, new Remove(K, false));
    assertThat(driver.apply(copy)).containsExactly(refusal);
    assertThat(driver.state().route(K)).isNotNull();
    assertDone(driver.in(session, new Remove(K, true, 4321)));
  }
}
