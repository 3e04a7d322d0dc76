package dev.floe.meta.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.FakeMetaLog;
import dev.floe.meta.log.FakeMetaLog.Fault;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandBatcherTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final FakeMetaLog log =
      new FakeMetaLog(new MetadataState(StateConfig.DEFAULT), CommandBatcherTest::echo);
  private final CommandBatcher batcher =
      new CommandBatcher(log, InstantSource.system(), c -> 100, 3);

  /// Answers a command of sequence n with epoch n, so that a caller can tell whose reply it got.
  private static List<MetadataReply> echo(long index, CommandBatch batch) {
    return batch.commands().stream()
        .map(c -> (MetadataReply) new MetadataReply.RuntimeRegistered(c.sequence()))
        .toList();
  }

  static SessionCommand command(long sequence) {
    return new SessionCommand(new SessionId(1, 1), sequence, 1, new MetadataCommand.Barrier());
  }

  private static List<SessionCommand> commands(long from, int count) {
    return IntStream.range(0, count).mapToObj(i -> command(from + i)).toList();
  }

  private static Deadline in(Duration timeout) {
    return Deadline.after(Ticker.system(), timeout);
  }

  @BeforeEach
  void lead() {
    log.lead();
    batcher.start(1);
  }

  @AfterEach
  void close() {
    log.release();
    batcher.close();
    callers.close();
  }

  private Future<List<MetadataReply>> submitLater(long from, int count, Duration timeout) {
    Callable<List<MetadataReply>> call =
        () -> batcher.submit(1, commands(from, count), in(timeout));
    return callers.submit(call);
  }

  private void awaitQueued(int count) {
    while (batcher.queued() != count) {
      Thread.onSpinWait();
    }
  }

  private void awaitHeld(int count) {
    while (log.heldEntries() != count) {
      Thread.onSpinWait();
    }
  }

  private static ErrorCode codeOf(Future<?> failed) throws InterruptedException {
    try {
      failed.get();
      throw new AssertionError("it succeeded");
    } catch (ExecutionException e) {
      return e.getCause() instanceof FloeException floe ? floe.code() : ErrorCode.INTERNAL;
    }
  }

  @Test
  void loneCommandIsProposedOnItsCallersThread() {
    Thread caller = Thread.currentThread();
    List<Thread> appliers = new ArrayList<>();
    FakeMetaLog direct =
        new FakeMetaLog(
            new MetadataState(StateConfig.DEFAULT),
            (index, batch) -> {
              appliers.add(Thread.currentThread());
              return echo(index, batch);
            });
    direct.lead();
    try (CommandBatcher lone = new CommandBatcher(direct, InstantSource.system(), c -> 1, 3)) {
      lone.start(1);
      assertThat(lone.submit(1, List.of(command(7)), in(LONG)))
          .containsExactly(new MetadataReply.RuntimeRegistered(7));
    }
    assertThat(appliers).containsExactly(caller);
  }

  @Test
  void commandsGatherWhileEntriesAreUnderWay() throws Exception {
    log.hold();
    List<Future<List<MetadataReply>>> replies = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      replies.add(submitLater(i, 1, LONG));
      awaitHeld(i);
    }
    for (int i = 4; i <= 103; i++) {
      replies.add(submitLater(i, 1, LONG));
    }
    awaitQueued(100);
    log.release();
    for (int i = 1; i <= 103; i++) {
      assertThat(replies.get(i - 1).get()).containsExactly(new MetadataReply.RuntimeRegistered(i));
    }
    assertThat(log.entries()).hasSizeLessThanOrEqualTo(6);
    assertThat(log.entries().stream().mapToInt(e -> e.commands().size()).sum()).isEqualTo(103);
  }

  @Test
  void bigRequestIsSplitIntoEntriesOfTheLimitAndAnsweredInOrder() {
    List<MetadataReply> replies = batcher.submit(1, commands(1, 600), in(LONG));
    assertThat(replies)
        .isEqualTo(
            IntStream.rangeClosed(1, 600)
                .mapToObj(i -> new MetadataReply.RuntimeRegistered(i))
                .toList());
    assertThat(log.entries().stream().map(e -> e.commands().size())).containsExactly(256, 256, 88);
  }

  @Test
  void entryKeepsToItsBytesUnlessOneCommandIsLarger() {
    try (CommandBatcher heavy =
        new CommandBatcher(log, InstantSource.system(), c -> 100 * 1024, 3)) {
      heavy.start(1);
      heavy.submit(1, commands(1, 5), in(LONG));
    }
    assertThat(log.entries().stream().map(e -> e.commands().size())).containsExactly(2, 2, 1);
    try (CommandBatcher huge =
        new CommandBatcher(log, InstantSource.system(), c -> 300 * 1024, 3)) {
      huge.start(1);
      huge.submit(1, commands(1, 2), in(LONG));
    }
    assertThat(log.entries().stream().map(e -> e.commands().size())).containsExactly(2, 2, 1, 1, 1);
  }

  @Test
  void commandThatNoEntryCouldHoldIsRefusedWithAllOfItsCall() {
    try (CommandBatcher monstrous =
        new CommandBatcher(
            log,
            InstantSource.system(),
            c -> c.sequence() == 2 ? Limits.COMMAND_BYTES_MAX + 1 : 100,
            3)) {
      monstrous.start(1);
      assertThatThrownBy(() -> monstrous.submit(1, commands(1, 3), in(LONG)))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
          .hasMessageContaining("Barrier")
          .hasMessageContaining(Integer.toString(Limits.COMMAND_BYTES_MAX));
      assertThat(monstrous.queued()).isZero();
    }
    assertThat(log.entries()).isEmpty();
  }

  @Test
  void noMoreEntriesThanAllowedAreUnderWay() {
    log.hold();
    var _ = submitLater(1, 256 * 8, LONG);
    awaitQueued(256 * 5);
    awaitHeld(3);
    log.releaseOne();
    awaitQueued(256 * 4);
    awaitHeld(3);
  }

  @Test
  void fullQueueRefusesAtOnceAndTakesNothing() {
    log.hold();
    int rounds = Limits.BATCHER_QUEUE_MAX / 4096;
    for (int i = 0; i < rounds; i++) {
      var _ = submitLater(1 + 4096L * i, 4096, LONG);
    }
    awaitQueued(rounds * 4096 - 3 * 256);
    int queued = batcher.queued();
    assertThatThrownBy(() -> batcher.submit(1, commands(1, 1000), in(LONG)))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED))
        .hasMessageContaining("65536");
    assertThat(batcher.queued()).isEqualTo(queued);
  }

  @Test
  void deadlineBeforeProposingMeansNothingWasDone() throws Exception {
    log.hold();
    for (int i = 1; i <= 3; i++) {
      var _ = submitLater(i, 1, LONG);
      awaitHeld(i);
    }
    Future<List<MetadataReply>> late = submitLater(4, 1, Duration.ofMillis(20));
    assertThat(codeOf(late)).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    log.release();
    batcher.submit(1, commands(5, 1), in(LONG));
    assertThat(log.entries().stream().flatMap(e -> e.commands().stream()))
        .extracting(SessionCommand::sequence)
        .containsExactly(1L, 2L, 3L, 5L);
  }

  @Test
  void deadlineAfterProposingIsAnUnknownOutcome() throws Exception {
    log.hold();
    Future<List<MetadataReply>> late = submitLater(1, 1, Duration.ofMillis(500));
    assertThat(codeOf(late)).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
  }

  @Test
  void anEarlierDeadlineEndsItsCallThoughThePumpWaitsForALaterOne() throws Exception {
    log.hold();
    Future<List<MetadataReply>> patient = submitLater(1, 1, LONG);
    awaitHeld(1);
    Future<List<MetadataReply>> hasty = submitLater(2, 1, Duration.ofMillis(500));
    assertThat(codeOf(hasty)).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
    Future<List<MetadataReply>> alsoHasty = submitLater(3, 1, Duration.ofMillis(500));
    assertThat(codeOf(alsoHasty)).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
    assertThat(patient.isDone()).isFalse();
    log.release();
    assertThat(patient.get()).containsExactly(new MetadataReply.RuntimeRegistered(1));
  }

  @Test
  void anInterruptedCallerLeavesAndItsQueuedCommandIsNeverProposed() throws Exception {
    log.hold();
    for (int i = 1; i <= 3; i++) {
      var _ = submitLater(i, 1, LONG);
      awaitHeld(i);
    }
    List<FloeException> errors = new ArrayList<>();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    batcher.submit(1, commands(4, 1), in(LONG));
                  } catch (FloeException e) {
                    errors.add(e);
                  }
                });
    awaitQueued(1);
    caller.interrupt();
    caller.join();
    assertThat(errors)
        .singleElement()
        .extracting(FloeException::code)
        .isEqualTo(ErrorCode.CANCELLED);
    assertThat(batcher.queued()).isZero();
    log.release();
    batcher.submit(1, commands(5, 1), in(LONG));
    assertThat(log.entries().stream().flatMap(e -> e.commands().stream()))
        .extracting(SessionCommand::sequence)
        .containsExactly(1L, 2L, 3L, 5L);
  }

  @Test
  void anErrorWhileProposingEndsThatCallAndNoOther() {
    log.failNext(Fault.ERROR);
    assertThatThrownBy(() -> batcher.submit(1, commands(1, 1), in(LONG)))
        .isInstanceOf(AssertionError.class);
    for (int i = 2; i < 10; i++) {
      assertThat(batcher.submit(1, commands(i, 1), in(LONG))).hasSize(1);
    }
  }

  @Test
  void aCommandOfAnEarlierLeadershipIsNotTakenByALaterOne() {
    loseAndWinTheLead(batcher);
    assertThatThrownBy(() -> batcher.submit(1, commands(1, 1), in(LONG)))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER))
        .hasMessageContaining("term 1")
        .hasMessageContaining("term 2");
    assertThat(log.entries()).isEmpty();
    assertThat(batcher.submit(2, commands(2, 1), in(LONG))).hasSize(1);
  }

  @Test
  void anEntryThatWasReadyWhenTheLeadChangedIsNotProposedByALaterLeadership() {
    try (CommandBatcher own = whenAnEntryIsReady(CommandBatcherTest::loseAndWinTheLead)) {
      assertThatThrownBy(() -> own.submit(1, commands(1, 1), in(LONG)))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER));
      assertThat(log.entries()).isEmpty();
      assertThat(own.submit(2, commands(2, 1), in(LONG))).hasSize(1);
    }
  }

  @Test
  void anEntryThatWasReadyWhenTheLeadWasLostIsCertainlyNotApplied() {
    try (CommandBatcher own = whenAnEntryIsReady(CommandBatcherTest::loseTheLead)) {
      assertThatThrownBy(() -> own.submit(1, commands(1, 600), in(LONG)))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER))
          .hasMessageContaining("gone");
      assertThat(log.entries()).isEmpty();
      own.start(1);
      assertThat(own.submit(1, commands(2, 1), in(LONG)))
          .as("the place of the entry that was taken back is free")
          .hasSize(1);
      assertThat(log.entries()).hasSize(1);
    }
  }

  /// A batcher that leads term 1 and does something when its first entry was put together and the
  /// log does not have it yet.
  private CommandBatcher whenAnEntryIsReady(Consumer<CommandBatcher> then) {
    AtomicReference<CommandBatcher> first = new AtomicReference<>();
    InstantSource asked =
        () -> {
          CommandBatcher once = first.getAndSet(null);
          if (once != null) {
            then.accept(once);
          }
          return Instant.EPOCH;
        };
    CommandBatcher own = new CommandBatcher(log, asked, c -> 100, 3);
    own.start(1);
    first.set(own);
    return own;
  }

  @Test
  void anEntrySaysUnderWhichLeadershipItWasPutTogether() {
    batcher.submit(1, commands(1, 1), in(LONG));
    loseAndWinTheLead(batcher);
    batcher.submit(2, commands(2, 1), in(LONG));
    assertThat(log.entries()).extracting(CommandBatch::leaderTerm).containsExactly(1L, 2L);
  }

  @Test
  void whatApplyRefusesForItsTermIsNoAnswerButARefusalOfTheCall() {
    FakeMetaLog late =
        new FakeMetaLog(
            new MetadataState(StateConfig.DEFAULT),
            (index, batch) ->
                batch.commands().stream()
                    .<MetadataReply>map(
                        c ->
                            c.sequence() > 2
                                ? new MetadataReply.Failed(ErrorCode.NOT_LEADER, "of term 1")
                                : MetadataReply.Done.INSTANCE)
                    .toList());
    late.lead();
    try (CommandBatcher own = new CommandBatcher(late, InstantSource.system(), c -> 100, 3)) {
      own.start(1);
      assertThatThrownBy(() -> own.submit(1, commands(3, 2), in(LONG)))
          .as("nothing was done")
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER));
      assertThatThrownBy(() -> own.submit(1, commands(2, 2), in(LONG)))
          .as("a part was done")
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME))
          .hasMessageContaining("of term 1");
    }
  }

  private static void loseTheLead(CommandBatcher batcher) {
    batcher.stop(new FloeException(ErrorCode.NOT_LEADER, "gone"));
  }

  private static void loseAndWinTheLead(CommandBatcher batcher) {
    loseTheLead(batcher);
    batcher.start(2);
  }

  @Test
  void lossOfLeadershipFailsQueuedOnesAsCertainAndOthersAsUnknown() throws Exception {
    log.hold();
    List<Future<List<MetadataReply>>> underWay = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      underWay.add(submitLater(i, 1, LONG));
      awaitHeld(i);
    }
    Future<List<MetadataReply>> queued = submitLater(4, 1, LONG);
    awaitQueued(1);
    batcher.stop(new FloeException(ErrorCode.NOT_LEADER, "gone"));
    for (Future<List<MetadataReply>> each : underWay) {
      assertThat(codeOf(each)).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
    }
    assertThat(codeOf(queued)).isEqualTo(ErrorCode.NOT_LEADER);
    assertThatThrownBy(() -> batcher.submit(1, commands(9, 1), in(LONG)))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER));
  }

  @Test
  void afterALossTheNextLeadershipHasAllItsSlots() throws Exception {
    log.hold();
    for (int i = 1; i <= 3; i++) {
      var _ = submitLater(i, 1, LONG);
      awaitHeld(i);
    }
    batcher.stop(new FloeException(ErrorCode.NOT_LEADER, "gone"));
    batcher.start(1);
    Future<List<MetadataReply>> next = submitLater(4, 1, LONG);
    awaitHeld(4);
    log.release();
    assertThat(next.get()).containsExactly(new MetadataReply.RuntimeRegistered(4));
  }

  @Test
  void refusedEntryIsCertainAndPartlyRefusedRequestIsNot() throws Exception {
    log.failNext(Fault.NOT_LEADER);
    assertThat(codeOf(submitLater(1, 1, LONG))).isEqualTo(ErrorCode.NOT_LEADER);
    log.hold();
    Future<List<MetadataReply>> big = submitLater(1, 256 * 4, LONG);
    awaitHeld(3);
    log.failNext(Fault.NOT_LEADER);
    log.release();
    assertThat(codeOf(big)).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
  }

  @Test
  void emptyRequestIsAnsweredWithoutAnEntry() {
    assertThat(batcher.submit(1, List.of(), in(LONG))).isEmpty();
    assertThat(log.entries()).isEmpty();
  }
}
