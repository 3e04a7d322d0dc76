package dev.floe.meta.state;

import static dev.floe.meta.state.StateDriver.MIB;
import static dev.floe.meta.state.StateDriver.assertDone;
import static dev.floe.meta.state.StateDriver.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand.Barrier;
import dev.floe.meta.command.MetadataCommand.CloseSession;
import dev.floe.meta.command.MetadataCommand.ExpireSessions;
import dev.floe.meta.command.MetadataCommand.OpenSession;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.Remove;
import dev.floe.meta.command.MetadataCommand.Tick;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.table.SessionRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SessionTableTest {
  private static final PutStart START = new PutStart(ObjectId.of("k"), 10, Placement.replicas(1));

  private final StateDriver driver = new StateDriver();
  private final SessionId session = driver.openSession(1);

  private MetadataReply send(long sequence, long answeredBelow) {
    return driver
        .apply(new SessionCommand(session, sequence, answeredBelow, new Barrier()))
        .getFirst();
  }

  @Test
  void aRepeatedCommandGetsItsReplyAgainWithoutEffect() {
    driver.store("a", MIB);
    SessionCommand start = new SessionCommand(session, 1, 1, START);
    MetadataReply first = driver.apply(start).getFirst();

    // Even when the key could be written again meanwhile.
    driver.in(driver.openSession(9), new Remove(ObjectId.of("k"), true));
    List<MetadataReply> again = driver.apply(start, start);

    assertThat(first).isInstanceOf(MetadataReply.PutStarted.class);
    assertThat(again).containsExactly(first, first);
    assertThat(driver.state().route(ObjectId.of("k"))).isNull();
  }

  @Test
  void aRepeatWithinOneEntryAndOfAFailureGetsTheSameReply() {
    SessionCommand start = new SessionCommand(session, 1, 1, START);

    List<MetadataReply> replies = driver.apply(start, start);
    driver.store("a", MIB);

    assertFailed(replies.getFirst(), ErrorCode.NOT_ENOUGH_RUNTIMES);
    assertThat(driver.apply(start).getFirst()).isEqualTo(replies.getFirst());
    assertThat(replies.getLast()).isEqualTo(replies.getFirst());
  }

  @Test
  void sequencesMayArriveInAnyOrder() {
    assertDone(send(3, 1));
    assertDone(send(1, 1));
    assertDone(send(2, 1));
    assertDone(send(3, 1));
  }

  @Test
  void aSequenceBelowTheAnsweredOnesIsRefusedForGood() {
    assertDone(send(1, 1));
    assertDone(send(2, 2));

    assertFailed(send(1, 1), ErrorCode.INVALID_ARGUMENT);
    assertDone(send(2, 1));
  }

  @Test
  void senselessSequencesAreRefusedWithoutHarm() {
    assertDone(send(1, 1));

    assertFailed(send(0, 0), ErrorCode.INVALID_ARGUMENT);
    assertFailed(send(-5, -9), ErrorCode.INVALID_ARGUMENT);
    assertFailed(send(2, 3), ErrorCode.INVALID_ARGUMENT);
    assertFailed(send(5, Long.MAX_VALUE), ErrorCode.INVALID_ARGUMENT);
    assertDone(send(1, 1));
    assertDone(send(2, 1));
  }

  @Test
  void theWindowIsBoundedAndOpensAgainWithAnswers() {
    long limit = Limits.SESSION_WINDOW_MAX;
    assertDone(send(1, 1));
    assertDone(send(limit, 1));
    assertFailed(send(limit + 1, 1), ErrorCode.SESSION_WINDOW_FULL);
    assertFailed(send(Long.MAX_VALUE, 1), ErrorCode.SESSION_WINDOW_FULL);

    assertDone(send(limit + 1, 2));
  }

  @Test
  void anUnknownSessionIsToldSo() {
    assertFailed(
        driver.apply(new SessionCommand(new SessionId(7, 7), 1, 1, new Barrier())).getFirst(),
        ErrorCode.SESSION_NOT_FOUND);
  }

  @Test
  void everyCopyOfAnOpeningOpensAnotherSession() {
    driver.store("a", MIB);
    MetadataReply first = driver.apply(new SessionCommand(session, 1, 1, START)).getFirst();

    SessionCommand open = SessionCommand.unguarded(new OpenSession(new SessionId(1, 1)));
    List<MetadataReply> copies = new ArrayList<>(driver.apply(open, open));
    copies.addAll(driver.apply(open));

    List<SessionId> opened =
        copies.stream().map(reply -> ((MetadataReply.SessionOpened) reply).session()).toList();
    assertThat(opened).doesNotHaveDuplicates().doesNotContain(session);
    assertThat(opened).allSatisfy(id -> assertThat(id.high()).isEqualTo(1));
    assertThat(driver.state().sessions()).contains(session).containsAll(opened).hasSize(4);
    assertThat(driver.apply(new SessionCommand(session, 1, 1, START)).getFirst()).isEqualTo(first);
  }

  @Test
  void lateCopiesOfAnOpeningAndACommandOfAnEndedSessionHaveNoEffect() {
    driver.store("a", MIB);
    SessionCommand open = SessionCommand.unguarded(new OpenSession(new SessionId(7, 7)));
    SessionId mine = ((MetadataReply.SessionOpened) driver.apply(open).getFirst()).session();
    SessionCommand start = new SessionCommand(mine, 5, 5, START);
    assertThat(driver.apply(start).getFirst()).isInstanceOf(MetadataReply.PutStarted.class);
    assertDone(driver.leader(new CloseSession(mine)));
    assertThat(driver.state().route(ObjectId.of("k"))).isNull();

    driver.apply(open);

    assertFailed(driver.apply(start).getFirst(), ErrorCode.SESSION_NOT_FOUND);
    assertThat(driver.state().route(ObjectId.of("k"))).isNull();
    assertThat(driver.state().hasSession(mine)).isFalse();
  }

  @Test
  void thePlaceOfAnOpeningInItsEntryIsBounded() {
    MetadataState state = new MetadataState(StateConfig.DEFAULT);
    SessionCommand open = SessionCommand.unguarded(new OpenSession(new SessionId(1, 1)));
    int places = SessionId.PLACES_PER_ENTRY;

    List<MetadataReply> replies =
        state.apply(1, 1, new CommandBatch(1, Collections.nCopies(places + 1, open)));

    assertThat(Limits.ENTRY_COMMANDS_MAX).isLessThanOrEqualTo(places);
    assertThat(replies.subList(0, places)).doesNotHaveDuplicates();
    assertFailed(replies.getLast(), ErrorCode.TOO_LARGE);
    assertThat(state.totals().sessions()).isEqualTo(places);
    assertThat(state.apply(1, 2, new CommandBatch(1, List.of(open))).getFirst())
        .isInstanceOf(MetadataReply.SessionOpened.class)
        .isNotIn(replies);
  }

  @Test
  void closingIsRepeatableInAndOutsideOfTheSession() {
    assertDone(driver.in(session, new CloseSession(session)));
    assertDone(driver.in(session, new CloseSession(session)));
    assertDone(driver.leader(new CloseSession(session)));

    assertThat(driver.state().hasSession(session)).isFalse();
    assertThat(driver.state().totals().sessions()).isZero();
  }

  @Test
  void aSessionThatWasUsedAfterTheSeenIndexDoesNotExpire() {
    long seen = driver.index();
    assertDone(send(1, 1));

    driver.leader(new ExpireSessions(List.of(session), seen));
    assertThat(driver.state().hasSession(session)).isTrue();

    // Any sign of life counts, an answered or refused command too.
    seen = driver.index();
    send(-1, 0);
    driver.leader(new ExpireSessions(List.of(session), seen));
    assertThat(driver.state().hasSession(session)).isTrue();

    driver.leader(
        new ExpireSessions(List.of(session, new SessionId(5, 5), session), driver.index()));
    assertThat(driver.state().hasSession(session)).isFalse();
  }

  @Test
  void leaderCommandsAreRefusedInASession() {
    assertFailed(driver.in(session, new Tick(0, 0)), ErrorCode.INVALID_ARGUMENT);
    assertFailed(
        driver.in(session, new ExpireSessions(List.of(session), Long.MAX_VALUE)),
        ErrorCode.INVALID_ARGUMENT);
    assertThat(driver.state().hasSession(session)).isTrue();
  }

  @Test
  void thereIsABoundOnSessions() {
    MetadataState state = new MetadataState(StateConfig.DEFAULT);
    SessionCommand open = SessionCommand.unguarded(new OpenSession(new SessionId(1, 1)));
    List<MetadataReply> replies = new ArrayList<>();
    for (int index = 1; replies.size() <= Limits.SESSIONS_MAX; index++) {
      replies.addAll(
          state.apply(
              1, index, new CommandBatch(1, Collections.nCopies(Limits.ENTRY_COMMANDS_MAX, open))));
    }

    assertThat(replies.get(Limits.SESSIONS_MAX - 1))
        .isInstanceOf(MetadataReply.SessionOpened.class);
    assertFailed(replies.get(Limits.SESSIONS_MAX), ErrorCode.OVERLOADED);
    assertThat(state.totals().sessions()).isEqualTo(Limits.SESSIONS_MAX);
    assertThat(StateChecker.check(state)).isEmpty();
  }

  @Test
  void theWordingOfAnErrorIsNoPartOfTheDigestButItsCodeIs() {
    long digest = digestAfter(1, new Failed(ErrorCode.NOT_FOUND, "object 'k' does not exist"));

    assertThat(digestAfter(1, new Failed(ErrorCode.NOT_FOUND, "there is no object 'k'")))
        .isEqualTo(digest);
    assertThat(digestAfter(1, new Failed(ErrorCode.NOT_READY, "object 'k' does not exist")))
        .isNotEqualTo(digest);
    assertThat(digestAfter(2, new Failed(ErrorCode.NOT_FOUND, "object 'k' does not exist")))
        .isNotEqualTo(digest);
    assertThat(digestAfter(1, MetadataReply.Done.INSTANCE)).isNotEqualTo(digest);
  }

  /// A whole state whose only session has one reply.
  private static long digestAfter(long sequence, MetadataReply reply) {
    StateParts parts = new StateParts();
    parts.sessions.restore(
        new SessionRecord(new SessionId(1, 1), 1, 1, new TreeMap<>(Map.of(sequence, reply))));
    return parts.digest();
  }
}
