package dev.floe.meta.ratis.replication;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.server.protocol.RaftServerProtocol;
import org.jspecify.annotations.Nullable;

/// What a follower of Ratis 3.2.2 has to do one after the other and does at the same time, which
/// ends badly: it appends an entry only when no append of the same entry is under way, votes only
/// when no append is, and takes a snapshot only when no append is and the snapshot before is loaded.
///
/// - An append is taken for done when another one that begins with the same index waits for its
///   turn, even when that one has fewer entries or those of another term
///   (`ServerImplUtils.NavigableIndices.alreadyExists`). The leader, which sends again what was
///   refused or not answered, is told that the follower has entries that it never got, commits and
///   acknowledges them; they are lost when the leader is.
/// - An append looks whether it fits, then waits for its turn. When a snapshot takes the log away
///   in between, or another thread's append that it follows gets its turn later, the append fails,
///   and every later one fails with it: each is chained to the one before
///   (`ServerImplUtils.NavigableIndices`). The follower gets nothing more until its process ends,
///   not even from another leader. So looking and taking the turn are one step here.
/// - A vote looks at the log, not at the appends that have been found to fit and wait for their turn.
///   They are appended after the vote and acknowledged, so a leader of the past may commit entries
///   that the one just voted for lacks. So a vote is given only when no append is under way.
/// - A snapshot is loaded by another thread than the one that took it. When the next one arrives
///   before that has ended, the loader finds a state machine that runs although it should be paused
///   and Ratis shuts the master down; or the second load is forgotten.
///
/// Whoever cannot wait any longer gets an `IOException` and sends again. Heartbeats pass. Safe for
/// use by many threads.
public final class FollowerGate {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long NONE = -1;

  /// More than all masters of a large cluster have under way at a time.
  private static final int WAITING_MAX = 64;

  private final RaftServerAsynchronousProtocol appends;
  private final RaftServerProtocol installs;
  private final Progress progress;
  private final long patienceNanos;
  private final ReentrantLock handOver = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Span> appending = new ArrayList<>();
  private int waiting;
  private int closing;
  private long loadingIndex = NONE;

  /// How far a group's state is on this server.
  @FunctionalInterface
  interface Progress {
    long appliedIndex(RaftGroupId group) throws IOException;
  }

  /// In front of a server.
  public FollowerGate(RaftServer server) {
    this(
        server,
        server,
        group -> server.getDivision(group).getInfo().getLastAppliedIndex(),
        PATIENCE);
  }

  FollowerGate(
      RaftServerAsynchronousProtocol appends,
      RaftServerProtocol installs,
      Progress progress,
      Duration patience) {
    this.appends = appends;
    this.installs = installs;
    this.progress = progress;
    this.patienceNanos = patience.toNanos();
  }

  /// Appends entries, or takes a heartbeat.
  ///
  /// @throws IOException also while a snapshot is being taken
  public CompletableFuture<AppendEntriesReplyProto> append(AppendEntriesRequestProto request)
      throws IOException {
    if (request.getEntriesCount() == 0) {
      return appends.appendEntriesAsync(request);
    }
    Span span =
        new Span(
            request.getEntries(0).getIndex(),
            request.getEntries(request.getEntriesCount() - 1).getIndex(),
            new CompletableFuture<>());
    CompletableFuture<Void> earlier = begin(span);
    if (earlier != null) {
      return earlier.thenCompose(done -> appendAfterWaiting(request));
    }
    CompletableFuture<AppendEntriesReplyProto> reply = null;
    boolean isFirst = false;
    try {
      isFirst = handOver.tryLock(patienceNanos, TimeUnit.NANOSECONDS);
      if (!isFirst) {
        throw new IOException("an earlier append takes too long to be handed over; send it again");
      }
      reply = appends.appendEntriesAsync(request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted before an append").initCause(e);
    } finally {
      if (isFirst) {
        handOver.unlock();
      }
      if (reply == null) {
        end(span);
      }
    }
    return reply.whenComplete((done, error) -> end(span));
  }

  private CompletableFuture<AppendEntriesReplyProto> appendAfterWaiting(
      AppendEntriesRequestProto request) {
    lock.lock();
    try {
      waiting--;
    } finally {
      lock.unlock();
    }
    try {
      return append(request);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Takes a piece of a snapshot.
  ///
  /// @throws IOException also when appends, or loading the last snapshot, take too long
  public InstallSnapshotReplyProto install(InstallSnapshotRequestProto request) throws IOException {
    RaftGroupId group = RaftGroupId.valueOf(request.getServerRequest().getRaftGroupId().getId());
    lock.lock();
    try {
      closing++;
      awaitUntil(() -> appending.isEmpty() && !isLoading(group), "no snapshot can be taken yet");
      InstallSnapshotReplyProto reply = installs.installSnapshot(request);
      if (reply.getResult() == InstallSnapshotResult.SUCCESS
          && request.getSnapshotChunk().getDone()) {
        loadingIndex = request.getSnapshotChunk().getTermIndex().getIndex();
      }
      return reply;
    } finally {
      closing--;
      lock.unlock();
    }
  }

  /// Votes, or says that it would.
  ///
  /// @throws IOException also when appends take too long: no vote
  public RequestVoteReplyProto vote(RequestVoteRequestProto request) throws IOException {
    if (request.getPreVote()) {
      return installs.requestVote(request);
    }
    lock.lock();
    try {
      closing++;
      awaitUntil(appending::isEmpty, "no vote can be given yet");
      return installs.requestVote(request);
    } finally {
      closing--;
      lock.unlock();
    }
  }

  /// A look at what is guarded by the lock.
  private interface Look {
    boolean isGood() throws IOException;
  }

  private void awaitUntil(Look look, String otherwise) throws IOException {
    long left = patienceNanos;
    while (!look.isGood()) {
      if (left <= 0) {
        throw new IOException(
            otherwise
                + ": "
                + appending.size()
                + " appends are under way"
                + (loadingIndex == NONE ? "" : ", the snapshot at " + loadingIndex + " is loaded"));
      }
      try {
        long pause = Math.min(left, LOOK_NANOS);
        left -= pause - Math.max(0, changed.awaitNanos(pause));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException)
            new InterruptedIOException("interrupted while waiting for appends").initCause(e);
      }
    }
  }

  private boolean isLoading(RaftGroupId group) throws IOException {
    if (loadingIndex != NONE && progress.appliedIndex(group) >= loadingIndex) {
      loadingIndex = NONE;
    }
    return loadingIndex != NONE;
  }

  /// @return null when it may begin; else ends when what is in its way has ended
  private @Nullable CompletableFuture<Void> begin(Span span) throws IOException {
    lock.lock();
    try {
      if (closing > 0) {
        throw new IOException(
            "entries are not taken while a snapshot is taken or a vote given; send them again");
      }
      CompletableFuture<?>[] earlier =
          appending.stream()
              .filter(span::overlaps)
              .map(Span::ended)
              .toArray(CompletableFuture<?>[]::new);
      if (earlier.length == 0) {
        appending.add(span);
        return null;
      }
      if (waiting >= WAITING_MAX) {
        throw new IOException(waiting + " appends wait for others already; send again later");
      }
      waiting++;
      return CompletableFuture.allOf(earlier);
    } finally {
      lock.unlock();
    }
  }

  private void end(Span span) {
    lock.lock();
    try {
      appending.remove(span);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    var _ = span.ended.complete(null);
  }

  /// The entries of an append under way.
  private record Span(long first, long last, CompletableFuture<Void> ended) {
    boolean overlaps(Span other) {
      return first <= other.last && other.first <= last;
    }
  }
}
