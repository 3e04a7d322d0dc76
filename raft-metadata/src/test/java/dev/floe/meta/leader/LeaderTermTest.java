package dev.floe.meta.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.FakeMetaLog;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The regular work of a leader on a real state; its passes are called by the test, time is fake.
class LeaderTermTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final FakeTicker ticker = new FakeTicker();
  private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(5000));
  private final MetadataState state = new MetadataState(StateConfig.DEFAULT);
  private final FakeMetaLog log = FakeMetaLog.of(state);
  private final CommandBatcher batcher = new CommandBatcher(log, clock, c -> 100, 3);
  private LeaderTerm term = newTerm();

  private LeaderTerm newTerm() {
    return new LeaderTerm(
        log.leadership().term(), log, batcher, LeaderOptions.DEFAULT, ticker, clock);
  }

  @BeforeEach
  void lead() {
    log.lead();
    batcher.start(log.leadership().term());
    term = newTerm();
  }

  @AfterEach
  void close() {
    term.close();
    batcher.close();
  }

  private void apply(MetadataCommand command) {
    log.propose(
        new CommandBatch(5000, List.of(SessionCommand.unguarded(command))),
        new MetaLog.ProposalListener() {
          @Override
          public void applied(long index, List<dev.floe.meta.command.MetadataReply> replies) {}

          @Override
          public void failed(dev.floe.core.error.FloeException error) {
            throw error;
          }
        });
  }

  /// Opens a session and tells its id.
  private SessionId open(SessionId nonce) {
    List<SessionId> before = state.sessions();
    apply(new MetadataCommand.OpenSession(nonce));
    return state.sessions().stream().filter(id -> !before.contains(id)).findFirst().orElseThrow();
  }

  private RuntimeEpoch register(String name) {
    RuntimeId id = new RuntimeId(name);
    apply(
        new MetadataCommand.RegisterRuntime(
            id, new SessionId(1, name.hashCode()), Endpoint.parse("h:1"), Map.of()));
    return new RuntimeEpoch(id, Objects.requireNonNull(state.runtime(id)).epoch());
  }

  private void passes(int seconds) {
    for (int i = 0; i < seconds; i++) {
      ticker.advance(SECOND);
      term.pass();
    }
  }

  private RuntimeState stateOf(RuntimeEpoch runtime) {
    return Objects.requireNonNull(state.runtime(runtime.runtime())).state();
  }

  private List<MetadataCommand> lastEntry() {
    return log.entries().getLast().commands().stream().map(SessionCommand::command).toList();
  }

  @Test
  void everyPassProposesATickWithTheDigestOfAnEarlierIndex() {
    register("r1");
    long index = log.localDigest().index();
    long digest = log.localDigest().digest();
    passes(1);
    assertThat(lastEntry()).containsExactly(new MetadataCommand.Tick(index, digest));
    assertThat(log.entries().getLast().leaderTimeMillis()).isEqualTo(5000);
  }

  @Test
  void silentRuntimeIsSuspectedThenExpiredAndARenewingOneIsNeither() {
    RuntimeEpoch silent = register("silent");
    RuntimeEpoch busy = register("busy");
    term.pass();
    for (int i = 0; i < 9; i++) {
      term.runtimes().renew(busy);
      passes(1);
    }
    assertThat(stateOf(silent)).isEqualTo(RuntimeState.ALIVE);
    term.runtimes().renew(busy);
    passes(1);
    assertThat(stateOf(silent)).isEqualTo(RuntimeState.SUSPECTED);
    assertThat(stateOf(busy)).isEqualTo(RuntimeState.ALIVE);
    for (int i = 0; i < 19; i++) {
      term.runtimes().renew(busy);
      passes(1);
    }
    assertThat(state.runtime(silent.runtime())).isNotNull();
    term.runtimes().renew(busy);
    passes(1);
    assertThat(state.runtime(silent.runtime())).isNull();
    assertThat(stateOf(busy)).isEqualTo(RuntimeState.ALIVE);
  }

  @Test
  void suspectedRuntimeThatRenewsIsRevived() {
    RuntimeEpoch runtime = register("r1");
    term.pass();
    passes(10);
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.SUSPECTED);
    term.runtimes().renew(runtime);
    passes(1);
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.ALIVE);
  }

  @Test
  void leaderThatStoodStillForThreeLeaseTimesExpiresNobody() {
    RuntimeEpoch runtime = register("r1");
    SessionId session = open(new SessionId(3, 3));
    term.pass();
    ticker.advance(Duration.ofSeconds(95));
    term.pass();
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.ALIVE);
    assertThat(state.hasSession(session)).isTrue();
  }

  @Test
  void newLeadershipGivesFullLeases() {
    RuntimeEpoch runtime = register("r1");
    term.pass();
    passes(9);
    term = newTerm();
    term.pass();
    passes(9);
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.ALIVE);
    passes(1);
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.SUSPECTED);
  }

  @Test
  void newLeadershipDoesNotReviveARuntimeThatItHasNotHeard() {
    RuntimeEpoch runtime = register("r1");
    term.pass();
    passes(10);
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.SUSPECTED);
    term = newTerm();
    term.pass();
    passes(1);
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.SUSPECTED);
    term.runtimes().renew(runtime);
    passes(1);
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.ALIVE);
  }

  @Test
  void whatAPassDecidedInOneTermIsNotAppliedInALaterOne() {
    RuntimeEpoch runtime = register("r1");
    log.hold();
    passes(1);
    while (lastEntry().stream().noneMatch(MetadataCommand.SuspectRuntimes.class::isInstance)) {
      log.releaseOne();
      passes(1);
    }
    log.follow();
    log.lead();
    log.release();
    assertThat(stateOf(runtime)).isEqualTo(RuntimeState.ALIVE);
    term.close();
    term = newTerm();
    passes(60);
    assertThat(state.runtime(runtime.runtime())).as("the next leadership looks anew").isNull();
  }

  @Test
  void proposalThatThrewDoesNotEndTheRegularWork() {
    AtomicInteger calls = new AtomicInteger();
    FakeMetaLog broken =
        new FakeMetaLog(
            state,
            (index, batch) -> {
              if (calls.getAndIncrement() == 0) {
                throw new IllegalStateException("planted");
              }
              return state.apply(1, index, batch);
            });
    broken.lead();
    LeaderTerm own = new LeaderTerm(1, broken, batcher, LeaderOptions.DEFAULT, ticker, clock);
    assertThatThrownBy(own::pass).hasMessage("planted");
    own.pass();
    assertThat(broken.entries()).hasSize(2);
    own.close();
  }

  @Test
  void silentSessionEndsAndARenewedOneDoesNot() {
    SessionId silent = open(new SessionId(3, 3));
    SessionId busy = open(new SessionId(4, 4));
    term.pass();
    for (int i = 0; i < 30; i++) {
      term.sessions().renew(busy);
      passes(1);
    }
    assertThat(state.hasSession(silent)).isFalse();
    assertThat(state.hasSession(busy)).isTrue();
  }

  @Test
  void manyIdlePureClientsCostTheLogNothingButTicks() {
    for (int i = 0; i < 1000; i++) {
      apply(new MetadataCommand.OpenSession(new SessionId(5, i)));
    }
    List<SessionId> clients = state.sessions();
    assertThat(clients).hasSize(1000);
    term.pass();
    int before = log.entries().size();
    for (int second = 0; second < 60; second++) {
      clients.forEach(term.sessions()::renew);
      passes(1);
    }
    assertThat(log.entries()).hasSize(before + 60);
    assertThat(log.entries().subList(before, before + 60))
        .allSatisfy(e -> assertThat(e.commands()).hasSize(1));
  }

  @Test
  void stuckLogIsNotFlooded() {
    log.hold();
    passes(50);
    assertThat(log.heldEntries()).isEqualTo(1);
    log.release();
    passes(1);
    assertThat(log.entries()).hasSize(2);
  }

  @Test
  void fullBatcherDoesNotDelayTheTick() {
    log.hold();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 10; i++) {
        callers.execute(
            () ->
                term.submit(
                    Collections.nCopies(
                        256, SessionCommand.unguarded(new MetadataCommand.Barrier())),
                    Deadline.after(Ticker.system(), Duration.ofSeconds(30))));
      }
      while (log.heldEntries() != 3 || batcher.queued() != 7 * 256) {
        Thread.onSpinWait();
      }
      term.pass();
      assertThat(log.heldEntries()).as("the tick is proposed beside them").isEqualTo(4);
      log.release();
    }
  }

  @Test
  void workerThreadTicksByItselfAndEndsWithTheTerm() {
    LeaderTerm own =
        new LeaderTerm(
            9,
            log,
            batcher,
            new LeaderOptions(LeaderOptions.Leases.DEFAULT, Duration.ofMillis(10), 3),
            Ticker.system(),
            clock);
    own.start();
    while (log.entries().size() < 3) {
      Thread.onSpinWait();
    }
    own.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("leader-term-9");
  }
}
