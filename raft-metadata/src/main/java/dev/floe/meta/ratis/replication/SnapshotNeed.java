package dev.floe.meta.ratis.replication;

import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.jspecify.annotations.Nullable;

/// Sees that a follower needs a snapshot in a case that Ratis 3.2.2 forgets (RATIS-2487): the next
/// entry to send is the first that the log still has, so the one before it, whose term must be sent
/// along, is gone.
///
/// The log appender then dies of a `NullPointerException` and the follower gets nothing more from
/// this leader. The case is not rare: a change of leader begins a new log segment, whole segments
/// are purged, and the log of a master that died as leader ends where its term ended.
public final class SnapshotNeed {
  private SnapshotNeed() {}

  /// The snapshot to send in that case, else null.
  public static @Nullable SnapshotInfo atStartOfLog(LogAppender appender) {
    RaftLog log = appender.getRaftLog();
    long next = appender.getFollower().getNextIndex();
    if (next <= RaftLog.LEAST_VALID_LOG_INDEX
        || next != log.getStartIndex()
        || next >= log.getNextIndex()
        || log.getTermIndex(next - 1) != null) {
      return null;
    }
    SnapshotInfo snapshot = appender.getServer().getStateMachine().getLatestSnapshot();
    return snapshot == null || snapshot.getIndex() == next - 1 ? null : snapshot;
  }
}
