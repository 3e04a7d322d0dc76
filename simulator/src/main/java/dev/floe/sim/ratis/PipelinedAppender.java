package dev.floe.sim.ratis;

import dev.floe.meta.ratis.replication.AppenderRevival;
import dev.floe.meta.ratis.replication.SnapshotNeed;
import dev.floe.meta.ratis.replication.SnapshotOffer;
import dev.floe.sim.mutant.Omission;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppenderBase;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;

/// Sends the leader's log to one follower, several requests at a time.
///
/// What a follower holds is concluded from replies to entries alone, never from heartbeats: a
/// follower answers a heartbeat with its own end of log, which may belong to another leader's term.
/// (The default appender of Ratis 3.2.2 falls into that trap, RATIS-2605; the one for gRPC, which
/// production uses, does not, and neither is used here.) One thread sends; replies come on others;
/// both share the map of outstanding requests under this object's monitor.
final class PipelinedAppender extends LogAppenderBase {
  private static final int OUTSTANDING_MAX = 8;

  /// Nobody tells when the leader has committed what the follower does not know to be committed.
  private static final long IDLE_MILLIS_MAX = 10;

  private final Map<Long, Outstanding> outstanding = new HashMap<>();
  private final SnapshotOffer offer = new SnapshotOffer();
  private long nextCallId;
  private boolean hasFailed;

  PipelinedAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
    super(server, leader, follower);
    AppenderRevival.begins(follower);
  }

  /// A request without a reply yet.
  ///
  /// @param firstIndex of its entries; `INVALID_LOG_INDEX` for a heartbeat
  private record Outstanding(long firstIndex, long lastIndex, Timestamp sentAt) {
    boolean isHeartbeat() {
      return firstIndex == RaftLog.INVALID_LOG_INDEX;
    }
  }

  @Override
  public SimServerRpc getServerRpc() {
    return (SimServerRpc) super.getServerRpc();
  }

  @Override
  public synchronized long getCallId() {
    return nextCallId;
  }

  @Override
  public java.util.Comparator<Long> getCallIdComparator() {
    return Long::compare;
  }

  @Override
  public synchronized boolean hasPendingDataRequests() {
    return outstanding.values().stream().anyMatch(o -> !o.isHeartbeat());
  }

  @Override
  public void run() throws InterruptedException, IOException {
    AppenderRevival.run(this, this::send);
  }

  private void send() throws InterruptedException, IOException {
    while (isRunning()) {
      if (shouldSendAppendEntries() || isCommitNews()) {
        SnapshotInfo snapshot = shouldInstallSnapshot();
        if (snapshot != null) {
          install(snapshot);
        } else {
          sendNext();
        }
      }
      if (takeFailure()) {
        getServer().properties().rpcSleepTime().sleep();
      }
      long idle = idleMillis();
      if (idle > 0 && isRunning()) {
        var _ = getEventAwaitForSignal().await(idle, TimeUnit.MILLISECONDS);
      }
      getLeaderState().checkHealth(getFollower());
    }
  }

  /// The follower should soon learn how far it may apply.
  private synchronized boolean isCommitNews() {
    return outstanding.isEmpty()
        && getFollower().getCommitIndex()
            < Math.min(getRaftLog().getLastCommittedIndex(), getFollower().getMatchIndex());
  }

  private synchronized boolean takeFailure() {
    boolean was = hasFailed;
    hasFailed = false;
    return was;
  }

  private synchronized boolean isFull() {
    return outstanding.size() >= OUTSTANDING_MAX;
  }

  private long idleMillis() {
    long untilHeartbeat = getHeartbeatWaitTimeMs();
    if (hasAppendEntries() && !isFull()) {
      return 0;
    }
    return isFull() || getFollower().getCommitIndex() >= getFollower().getMatchIndex()
        ? untilHeartbeat
        : Math.min(untilHeartbeat, IDLE_MILLIS_MAX);
  }

  private void sendNext() throws IOException {
    AppendEntriesRequestProto request;
    Outstanding sent;
    synchronized (this) {
      boolean isHeartbeat = isFull() || !hasAppendEntries();
      if (isHeartbeat && getHeartbeatWaitTimeMs() > 0 && !isCommitNews()) {
        return;
      }
      request = newAppendEntriesRequest(nextCallId++, isHeartbeat);
      if (request == null || !isRunning()) {
        return;
      }
      sent = remember(request);
    }
    resetHeartbeatTrigger();
    getFollower().updateLastRpcSendTime(sent.isHeartbeat());
    long callId = request.getServerRequest().getCallId();
    var _ =
        getServerRpc()
            .append(request)
            .whenComplete(
                (reply, error) -> {
                  if (error != null) {
                    failed(callId, sent, error);
                  } else {
                    answered(callId, sent, reply);
                  }
                  notifyLogAppender();
                });
  }

  private Outstanding remember(AppendEntriesRequestProto request) {
    List<LogEntryProto> entries = request.getEntriesList();
    Outstanding sent =
        entries.isEmpty()
            ? new Outstanding(
                RaftLog.INVALID_LOG_INDEX, RaftLog.INVALID_LOG_INDEX, Timestamp.currentTime())
            : new Outstanding(
                entries.getFirst().getIndex(),
                entries.getLast().getIndex(),
                Timestamp.currentTime());
    outstanding.put(request.getServerRequest().getCallId(), sent);
    if (!sent.isHeartbeat()) {
      getFollower().increaseNextIndex(sent.lastIndex() + 1);
    }
    return sent;
  }

  private void answered(long callId, Outstanding sent, AppendEntriesReplyProto reply) {
    FollowerInfo follower = getFollower();
    boolean isCurrent;
    synchronized (this) {
      isCurrent = outstanding.remove(callId) != null;
    }
    follower.updateLastRpcResponseTime();
    switch (reply.getResult()) {
      case SUCCESS -> {
        follower.updateLastRespondedAppendEntriesSendTime(sent.sentAt());
        getLeaderState().onFollowerCommitIndex(follower, reply.getFollowerCommit());
        if (getServerRpc().omission() == Omission.HEARTBEAT_PROVES_NOTHING) {
          takeNextIndexForProof(reply.getNextIndex());
        }
        if (!sent.isHeartbeat() && follower.updateMatchIndex(sent.lastIndex())) {
          getLeaderState().onFollowerSuccessAppendEntries(follower);
        }
      }
      case NOT_LEADER -> {
        var _ = onFollowerTerm(reply.getTerm());
      }
      case INCONSISTENCY -> {
        follower.updateLastRespondedAppendEntriesSendTime(sent.sentAt());
        if (isCurrent) {
          restartAt(getNextIndexForInconsistency(sent.firstIndex(), reply.getNextIndex()));
        }
      }
      case UNRECOGNIZED ->
          throw new IllegalStateException("unknown result in " + reply.getResultValue());
    }
    getLeaderState().onAppendEntriesReply(this, reply);
  }

  /// What the default appender of Ratis 3.2.2 does with every reply.
  private void takeNextIndexForProof(long nextIndex) {
    if (nextIndex > getRaftLog().getNextIndex()) {
      return;
    }
    if (getFollower().updateMatchIndex(nextIndex - 1)) {
      getFollower().increaseNextIndex(nextIndex);
      getLeaderState().onFollowerSuccessAppendEntries(getFollower());
    }
  }

  /// What was sent after a request that did not fit does not fit either.
  private synchronized void restartAt(long nextIndex) {
    outstanding.clear();
    getFollower().setNextIndex(nextIndex);
  }

  private synchronized void failed(long callId, Outstanding sent, Throwable error) {
    if (outstanding.remove(callId) == null) {
      return;
    }
    hasFailed = true;
    if (!sent.isHeartbeat()) {
      outstanding.clear();
      getFollower().computeNextIndex(getNextIndexForError(sent.firstIndex()));
    }
    Throwable cause = error instanceof CompletionException e ? e.getCause() : error;
    getServerRpc()
        .handleException(
            getFollowerId(), cause instanceof Exception e ? e : new IOException(cause), false);
  }

  private void install(SnapshotInfo snapshot) throws InterruptedException {
    String requestId = new UUID(getCallId(), getFollower().getNextIndex()).toString();
    InstallSnapshotReplyProto reply = null;
    try {
      for (InstallSnapshotRequestProto chunk : newInstallSnapshotRequests(requestId, snapshot)) {
        if (!isRunning()) {
          return;
        }
        getFollower().updateLastRpcSendTime(false);
        reply = getServerRpc().installSnapshot(chunk);
        getFollower().updateLastRpcResponseTime();
        if (!reply.getServerReply().getSuccess()) {
          break;
        }
      }
    } catch (IOException e) {
      getServerRpc().handleException(getFollowerId(), e, false);
      getServer().properties().rpcSleepTime().sleep();
      return;
    }
    if (reply != null) {
      installed(snapshot, reply);
    }
  }

  private void installed(SnapshotInfo snapshot, InstallSnapshotReplyProto reply) {
    switch (reply.getResult()) {
      case SUCCESS, IN_PROGRESS, SNAPSHOT_INSTALLED -> {
        if (reply.getServerReply().getSuccess()) {
          getFollower().setSnapshotIndex(snapshot.getTermIndex().getIndex());
          getFollower().setAttemptedToInstallSnapshot();
        }
      }
      case ALREADY_INSTALLED -> {
        getFollower().setSnapshotIndex(reply.getSnapshotIndex());
        getFollower().setAttemptedToInstallSnapshot();
      }
      case NOT_LEADER -> {
        var _ = onFollowerTerm(reply.getTerm());
      }
      case CONF_MISMATCH, SNAPSHOT_UNAVAILABLE, SNAPSHOT_EXPIRED, UNRECOGNIZED ->
          getFollower().setAttemptedToInstallSnapshot();
    }
  }

  @Override
  public @Nullable SnapshotInfo shouldInstallSnapshot() {
    offer.mend(getFollower());
    SnapshotInfo needed = super.shouldInstallSnapshot();
    return offer.made(needed != null ? needed : SnapshotNeed.atStartOfLog(this), getFollower());
  }
}
