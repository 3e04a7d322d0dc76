package dev.floe.meta.ratis.replication;

import dev.floe.core.probe.Probe;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets a log appender go on that stumbled, where Ratis 3.2.2 gives its follower up.
///
/// Between an appender's look whether the follower needs a snapshot and its reading of the log,
/// another thread may set the follower back to entries that are purged: an answer of a follower that
/// has just begun does. The appender then fails with what it does not find. Ratis means to put a new
/// one in its place, but asks the appender first whether it runs, and it does no longer; so the
/// follower gets nothing more from this leader, no matter how long it leads (RATIS-2499, in releases
/// after 3.2.2).
///
/// The same appender goes on here. Only when it makes no progress any more, a new one takes its
/// place, and goes on where the old one was (`begins`): by itself it would begin at entry 0 and send
/// a snapshot, and a follower whose log reaches further than the snapshot shuts down over it.
public final class AppenderRevival {
  private static final int STUMBLES_MAX = 10;

  /// Set while the leader puts a new appender in the place of an old one, which it does at once.
  private static final ThreadLocal<@Nullable FollowerInfo> REPLACED = new ThreadLocal<>();

  private static final Logger LOG = LoggerFactory.getLogger(AppenderRevival.class);

  private AppenderRevival() {}

  /// The work of an appender from wherever it is; it ends when the appender is stopped or stumbles.
  @FunctionalInterface
  public interface Work {
    void run() throws InterruptedException, IOException;
  }

  /// A new appender was made for a follower.
  public static void begins(FollowerInfo follower) {
    FollowerInfo replaced = REPLACED.get();
    if (replaced != null && replaced.getId().equals(follower.getId())) {
      Probe.sometimes("appender.replaced-where-it-was");
      // What it has acknowledged it has; without that, every failed call would set it back by one.
      var _ = follower.updateMatchIndex(replaced.getMatchIndex());
      follower.setNextIndex(replaced.getNextIndex());
      // It is no new member, which would get a snapshot whatever it has.
      follower.setAttemptedToInstallSnapshot();
    }
  }

  /// Does an appender's work until it is stopped. Pauses after a stumble for as long as after a
  /// failed call, so that a fault that stays does not spin.
  ///
  /// @throws IOException when the work was interrupted, or failed after the appender was stopped
  public static void run(LogAppender appender, Work work) throws InterruptedException, IOException {
    long stumbledAt = RaftLog.INVALID_LOG_INDEX;
    int stumbles = 0;
    while (true) {
      try {
        work.run();
        return;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        if (!appender.isRunning()) {
          throw e;
        }
        long nextIndex = appender.getFollower().getNextIndex();
        stumbles = nextIndex == stumbledAt ? stumbles + 1 : 1;
        stumbledAt = nextIndex;
        LOG.warn("{} stumbled at entry {}: {}", appender, nextIndex, e.toString());
        LOG.debug("{} stumbled", appender, e);
      }
      appender.getServer().properties().rpcSleepTime().sleep();
      if (stumbles == STUMBLES_MAX) {
        REPLACED.set(appender.getFollower());
        try {
          appender.getLeaderState().restart(appender);
        } finally {
          REPLACED.remove();
        }
        return;
      }
      Probe.sometimes("appender.went-on-after-a-stumble");
    }
  }
}
