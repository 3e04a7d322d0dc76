package dev.floe.meta.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What every log does, shown on one that leads.
public abstract class MetaLogContractTest {
  /// A log of one node that leads.
  protected abstract MetaLog leadingLog() throws Exception;

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(30));
  }

  private static CompletableFuture<List<MetadataReply>> propose(
      MetaLog log, List<Long> indexes, MetadataCommand... commands) {
    return propose(log, CommandBatch.NO_TERM, indexes, commands);
  }

  private static CompletableFuture<List<MetadataReply>> propose(
      MetaLog log, long term, List<Long> indexes, MetadataCommand... commands) {
    CompletableFuture<List<MetadataReply>> outcome = new CompletableFuture<>();
    log.propose(
        new CommandBatch(
            term, 1, List.of(commands).stream().map(SessionCommand::unguarded).toList()),
        new MetaLog.ProposalListener() {
          @Override
          public void applied(long index, List<MetadataReply> replies) {
            indexes.add(index);
            outcome.complete(replies);
          }

          @Override
          public void failed(FloeException error) {
            outcome.completeExceptionally(error);
          }
        });
    return outcome;
  }

  @Test
  void proposalsAreAppliedOnceInOrderWithAReplyForEachCommand() throws Exception {
    try (MetaLog log = leadingLog()) {
      List<Long> indexes = Collections.synchronizedList(new ArrayList<>());
      List<CompletableFuture<List<MetadataReply>>> outcomes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        outcomes.add(
            propose(
                log,
                indexes,
                new MetadataCommand.OpenSession(new SessionId(1, i)),
                new MetadataCommand.Barrier()));
      }
      for (CompletableFuture<List<MetadataReply>> outcome : outcomes) {
        assertThat(outcome.join())
            .satisfiesExactly(
                reply -> assertThat(reply).isInstanceOf(MetadataReply.SessionOpened.class),
                reply -> assertThat(reply).isEqualTo(MetadataReply.Done.INSTANCE));
      }
      assertThat(List.copyOf(indexes)).hasSize(100).isSorted().doesNotHaveDuplicates();
      assertThat(log.<Integer>read(view -> view.sessions().size(), soon())).isEqualTo(100);
    }
  }

  @Test
  void whatALeaderDecidedIsAppliedInItsOwnTermOnly() throws Exception {
    try (MetaLog log = leadingLog()) {
      long term = log.leadership().term();
      MetadataCommand decision = new MetadataCommand.Tick(0, 0);
      MetadataCommand request = new MetadataCommand.OpenSession(new SessionId(1, 1));
      List<Long> indexes = new ArrayList<>();
      for (long another : new long[] {term + 1, Long.MAX_VALUE}) {
        assertThat(propose(log, another, indexes, decision, request).join())
            .satisfiesExactly(
                reply ->
                    assertThat(reply)
                        .isInstanceOfSatisfying(
                            MetadataReply.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOT_LEADER)),
                reply -> assertThat(reply).isInstanceOf(MetadataReply.SessionOpened.class));
      }
      for (long mine : new long[] {term, CommandBatch.NO_TERM}) {
        assertThat(propose(log, mine, indexes, decision).join())
            .containsExactly(MetadataReply.Done.INSTANCE);
      }
    }
  }

  @Test
  void readSeesWhatWasAppliedBeforeIt() throws Exception {
    try (MetaLog log = leadingLog()) {
      for (int i = 0; i < 50; i++) {
        MetadataReply opened =
            propose(log, new ArrayList<>(), new MetadataCommand.OpenSession(new SessionId(1, i)))
                .join()
                .getFirst();
        SessionId session = ((MetadataReply.SessionOpened) opened).session();
        assertThat(log.<Boolean>read(view -> view.hasSession(session), soon())).isTrue();
      }
      assertThat(log.localDigest().index()).isEqualTo(log.localView().appliedIndex());
    }
  }

  @Test
  void whatAReadThrowsReachesItsCallerUnchanged() throws Exception {
    try (MetaLog log = leadingLog()) {
      FloeException thrown = new FloeException(ErrorCode.NOT_FOUND, "business");
      assertThatThrownBy(
              () ->
                  log.read(
                      view -> {
                        throw thrown;
                      },
                      soon()))
          .isSameAs(thrown);
    }
  }

  @Test
  void listenerIsToldOfALeadershipThatIsThereAndOfItsEnd() throws Exception {
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    MetaLog log = leadingLog();
    log.onLeadership(
        new MetaLog.LeadershipListener() {
          @Override
          public void leaderReady(long term) {
            told.add("ready");
          }

          @Override
          public void notLeader() {
            told.add("lost");
          }
        });
    assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("ready");
    assertThat(log.leadership().isLeaderReady()).isTrue();
    assertThat(log.members()).singleElement().satisfies(m -> assertThat(m.isLeader()).isTrue());
    log.close();
    assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("lost");
  }

  @Test
  void closedLogServesNothing() throws Exception {
    MetaLog log = leadingLog();
    log.close();
    log.close();
    assertThatThrownBy(() -> log.read(view -> 1, soon()))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> assertThat(e.code()).isIn(ErrorCode.NOT_LEADER, ErrorCode.UNAVAILABLE));
    assertThatThrownBy(() -> propose(log, new ArrayList<>(), new MetadataCommand.Barrier()).join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> assertThat(e.code()).isIn(ErrorCode.NOT_LEADER, ErrorCode.UNAVAILABLE));
  }
}
