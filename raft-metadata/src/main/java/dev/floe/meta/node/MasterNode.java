package dev.floe.meta.node;

import dev.floe.core.error.FloeException;
import dev.floe.core.file.NodeDirectory;
import dev.floe.core.file.NodeIdentity;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.meta.leader.LeaderLoad;
import dev.floe.meta.leader.LeaderServices;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.ratis.FatalErrorHandler;
import dev.floe.meta.ratis.storage.FloeStateFormat;
import dev.floe.meta.rpc.MetadataService;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running master: directory, replicated log, leader services and the listener for clients,
/// opened in this order and closed in reverse.
public final class MasterNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MasterNode.class);

  private final MasterOptions options;
  private final NodeDirectory directory;
  private final MaintainedLog log;
  private final LeaderServices leader;
  private final Transport.Listener listener;
  private final AtomicLong divergences;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private MasterNode(
      MasterOptions options,
      NodeDirectory directory,
      MaintainedLog log,
      LeaderServices leader,
      Transport.Listener listener,
      AtomicLong divergences) {
    this.options = options;
    this.directory = directory;
    this.log = log;
    this.leader = leader;
    this.listener = listener;
    this.divergences = divergences;
  }

  /// Starts a master; when this returns it takes part in elections and answers clients.
  ///
  /// @throws FloeException `ADDRESS_IN_USE`, `DIRECTORY_IN_USE`, `DIRECTORY_UNUSABLE`,
  ///     `DIRECTORY_OF_ANOTHER_NODE`, `CORRUPT` or `INVALID_CONFIG`; nothing is left running then
  public static MasterNode start(MasterOptions options, Seams seams) {
    NodeDirectory directory =
        NodeDirectory.open(
            options.directory(), new NodeIdentity(options.cluster(), "master", options.node()));
    try {
      return start(options, seams, directory);
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private static MasterNode start(MasterOptions options, Seams seams, NodeDirectory directory) {
    AtomicLong divergences = new AtomicLong();
    FloeStateFormat format =
        new FloeStateFormat(
            options.behaviour().state(),
            (index, ours, leaders) -> reportDivergence(options, divergences, index, ours, leaders));
    MaintainedLog log = seams.log().open(options, format, seams.ticker(), seams.fatal());
    LeaderServices leader = null;
    try {
      leader =
          new LeaderServices(
              options.node(), log, options.behaviour().leader(), seams.ticker(), seams.clock());
      return new MasterNode(
          options, directory, log, leader, listen(options, seams, log, leader), divergences);
    } catch (RuntimeException e) {
      log.close();
      if (leader != null) {
        leader.close();
      }
      throw e;
    }
  }

  private static Transport.Listener listen(
      MasterOptions options, Seams seams, MaintainedLog log, LeaderServices leader) {
    return seams
        .transport()
        .listen(
            options.ratis().self().rpcEndpoint(),
            new Transport.Identity(options.cluster(), "master/" + options.node()),
            new MetadataService(options.cluster(), options.node(), log, leader).handlers());
  }

  private static void reportDivergence(
      MasterOptions options, AtomicLong divergences, long index, long ours, long leaders) {
    divergences.incrementAndGet();
    LOG.error(
        "master {}: STATE DIVERGED: the digest at index {} is {}, the leader had {}; compare the"
            + " masters' snapshots and rebuild the one that is alone",
        options.node(),
        index,
        Long.toHexString(ours),
        Long.toHexString(leaders));
  }

  /// This master's id.
  public String node() {
    return options.node();
  }

  /// Where clients reach this master, with the real port.
  public Endpoint endpoint() {
    return listener.endpoint();
  }

  /// This node's role as of now.
  public MetaLog.Leadership leadership() {
    return log.leadership();
  }

  /// The replicated log, for inspection and admin work.
  public MaintainedLog log() {
    return log;
  }

  /// How much this master has on its hands as a leader.
  public LeaderLoad load() {
    return leader.load();
  }

  /// How often this master's state was found to differ from the leader's: 0 on a healthy cluster.
  public long divergences() {
    return divergences.get();
  }

  /// Stops cleanly: no more requests are taken, those under way end, the log is closed. Idempotent.
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      listener.close();
      stopLog();
      directory.close();
    }
  }

  /// Stops as abruptly as a process can stop a part of itself, for embedded clusters that test
  /// failover: the log stops first, in the middle of whatever it does; no snapshot is taken and
  /// leadership is not handed over; callers get errors or nothing.
  public void kill() {
    if (isClosed.compareAndSet(false, true)) {
      stopLog();
      listener.close();
      directory.close();
    }
  }

  private void stopLog() {
    log.close();
    leader.close();
  }

  /// What a master takes from its surroundings.
  ///
  /// @param fatal told when this master cannot go on
  /// @param log where its replicated log comes from
  public record Seams(
      Transport transport,
      Ticker ticker,
      InstantSource clock,
      FatalErrorHandler fatal,
      LogSource log) {
    /// Masters whose log is Ratis and that talk gRPC to each other.
    public Seams(Transport transport, Ticker ticker, InstantSource clock, FatalErrorHandler fatal) {
      this(transport, ticker, clock, fatal, LogSource.RATIS);
    }
  }
}
