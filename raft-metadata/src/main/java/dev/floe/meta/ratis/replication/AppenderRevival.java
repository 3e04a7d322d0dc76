package dev.floe.meta.ratis.replication;

import dev.floe.core.probe.Probe;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLog;
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
/// The same appender goes on here, because a new one forgets what its follower has, and sends a
/// snapshot also to one whose log reaches further. Only when it makes no progress any more, a new
/// one takes its place.
public final class AppenderRevival {
  private static final int STUMBLES_MAX = 10;
  private static final Logger LOG = LoggerFactory.getLogger(AppenderRevival.class);

  private AppenderRevival() {}

  /// The work of an appender from wherever it is; it ends when the appender is stopped or stumbles.
  @FunctionalInterface
  public interface Work {
    void run() throws InterruptedException, IOException;
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
        appender.getLeaderState().restart(appender);
        return;
      }
      Probe.sometimes("appender.went-on-after-a-stumble");
    }
  }
}
