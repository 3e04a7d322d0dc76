package dev.floe.meta.leader;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.meta.codec.CommandCodec;
import dev.floe.meta.log.MetaLog;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts what only a leader has when this node becomes one, and stops it when it no longer is.
///
/// Each leadership gets a `LeaderTerm` of its own with fresh soft state; whoever holds one of an
/// older term cannot reach the present one. The batcher lives as long as this object and is merely
/// opened and shut.
public final class LeaderServices implements MetaLog.LeadershipListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderServices.class);

  private final String node;
  private final MetaLog log;
  private final LeaderOptions options;
  private final Ticker ticker;
  private final InstantSource clock;
  private final CommandBatcher batcher;
  private volatile @Nullable LeaderTerm current;

  /// Registers with the log; from now on changes of leadership are followed.
  public LeaderServices(
      String node, MetaLog log, LeaderOptions options, Ticker ticker, InstantSource clock) {
    this.node = node;
    this.log = log;
    this.options = options;
    this.ticker = ticker;
    this.clock = clock;
    this.batcher =
        new CommandBatcher(log, clock, CommandCodec::encodedBytes, options.entriesInFlight());
    log.onLeadership(this);
  }

  /// The services of the present leadership.
  ///
  /// @throws FloeException `NOT_LEADER` naming the leader when it is known
  public LeaderTerm leading() {
    LeaderTerm term = current;
    if (term == null) {
      throw notLeading();
    }
    return term;
  }

  private FloeException notLeading() {
    MetaLog.Leadership now = log.leadership();
    String endpoint = now.leaderEndpoint();
    if (endpoint == null || node.equals(now.leaderNode())) {
      return new FloeException(
          ErrorCode.NOT_LEADER,
          "master " + node + " does not lead and knows no leader; ask another master or retry");
    }
    return new FloeException(
        ErrorCode.NOT_LEADER,
        "master " + node + " does not lead; ask " + now.leaderNode() + " at " + endpoint,
        Map.of("leader", endpoint, "leaderNode", String.valueOf(now.leaderNode())),
        null);
  }

  /// How much there is to do now.
  public LeaderLoad load() {
    LeaderTerm term = current;
    return new LeaderLoad(
        batcher.queued(),
        batcher.entriesUnderWay(),
        term == null ? 0 : term.readLeases().size(),
        term == null ? 0 : term.sessions().size());
  }

  @Override
  public void leaderReady(long term) {
    LOG.info("{}: leads term {}", node, term);
    LeaderTerm next = new LeaderTerm(term, log, batcher, options, ticker, clock);
    batcher.start(term);
    current = next;
    next.start();
  }

  @Override
  public void notLeader() {
    LeaderTerm term = current;
    current = null;
    if (term != null) {
      LOG.info("{}: no longer leads term {}", node, term.term());
      batcher.stop(notLeading());
      term.close();
    }
  }

  /// Stops for good. Close the log first or right after: until then it may still call.
  @Override
  public void close() {
    notLeader();
    batcher.close();
  }
}
