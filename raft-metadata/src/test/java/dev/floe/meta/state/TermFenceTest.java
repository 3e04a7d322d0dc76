package dev.floe.meta.state;

import static dev.floe.meta.state.StateDriver.MIB;
import static dev.floe.meta.state.StateDriver.assertDone;
import static dev.floe.meta.state.StateDriver.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.SessionId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a leader decided in one term, in an entry of another.
class TermFenceTest {
  private static final long DECIDED = 3;
  private static final long LATER = 5;
  private static final long FAR_AHEAD_MILLIS = Long.MAX_VALUE / 2;
  private static final RuntimeId RUNTIME = new RuntimeId("r1");

  private final StateDriver driver = new StateDriver();
  private final MetadataState state = driver.state();
  private SessionId session = new SessionId(1, 1);
  private long index;

  @BeforeEach
  void anObjectIsThere() {
    driver.store("r1", 4 * MIB);
    session = driver.openSession(7);
    driver.put(session, "k", 1000, 1);
    index = driver.index();
  }

  private MetadataReply apply(long entryTerm, SessionCommand command) {
    CommandBatch batch = new CommandBatch(DECIDED, FAR_AHEAD_MILLIS, List.of(command));
    MetadataReply reply = state.apply(entryTerm, ++index, batch).getFirst();
    assertThat(StateChecker.check(state)).isEmpty();
    return reply;
  }

  private SessionCommand removal(boolean isForced) {
    return new SessionCommand(
        session, 3, 1, new MetadataCommand.Remove(ObjectId.of("k"), isForced));
  }

  @Test
  void aLeadersOwnCommandsChangeNothingInAnotherTerm() {
    List<RuntimeEpoch> runtimes =
        List.of(new RuntimeEpoch(RUNTIME, driver.runtime(RUNTIME).epoch()));
    long before = state.digest();
    for (MetadataCommand command :
        List.of(
            new MetadataCommand.SuspectRuntimes(runtimes),
            new MetadataCommand.ReviveRuntimes(runtimes),
            new MetadataCommand.ExpireRuntimes(runtimes),
            new MetadataCommand.ExpireSessions(List.of(session), index),
            new MetadataCommand.Tick(1, 1))) {
      for (long term : new long[] {LATER, DECIDED - 1}) {
        assertFailed(apply(term, SessionCommand.unguarded(command)), ErrorCode.NOT_LEADER);
      }
    }
    assertThat(state.digest()).isEqualTo(before);
    assertThat(state.appliedIndex()).isEqualTo(index);
    assertDone(
        apply(DECIDED, SessionCommand.unguarded(new MetadataCommand.SuspectRuntimes(runtimes))));
    assertThat(driver.runtime(RUNTIME).state()).isEqualTo(RuntimeState.SUSPECTED);
    assertThat(state.appliedTimeMillis()).isEqualTo(FAR_AHEAD_MILLIS);
  }

  @Test
  void aPlainRemovalIsDecidedAnewAndItsRefusalIsNoAnswerOfTheSession() {
    assertFailed(apply(LATER, removal(false)), ErrorCode.NOT_LEADER);
    assertThat(state.route(ObjectId.of("k"))).isNotNull();
    assertDone(apply(DECIDED, removal(false)));
    assertThat(state.route(ObjectId.of("k"))).isNull();
    assertDone(apply(DECIDED, removal(false)));
  }

  @Test
  void whatClientsAskForIsAppliedInAnyTerm() {
    assertDone(apply(LATER, removal(true)));
    assertThat(state.route(ObjectId.of("k"))).isNull();
    assertDone(apply(LATER + 1, removal(true)));
    assertDone(apply(LATER, SessionCommand.unguarded(new MetadataCommand.Barrier())));
    assertThat(state.appliedTimeMillis()).isLessThan(FAR_AHEAD_MILLIS);
  }

  @Test
  void anEntryFromBeforeThereWereTermsIsAppliedInAny() {
    CommandBatch old =
        new CommandBatch(9, List.of(SessionCommand.unguarded(new MetadataCommand.Tick(0, 0))));
    assertThat(state.apply(LATER, ++index, old)).containsExactly(MetadataReply.Done.INSTANCE);
  }
}
