package dev.floe.bench;

import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.leader.CommandBatcher;
import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.ratis.RatisMetaLog;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.ratis.storage.FloeStateFormat;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Three of Floe's logs in this JVM over loopback, with the leader's batcher, ready to commit.
final class ThreeMasters implements AutoCloseable {
  private final List<RatisMetaLog> logs = new ArrayList<>();
  private final CommandBatcher batcher;

  ThreeMasters(List<RatisOptions> options) throws Exception {
    for (RatisOptions option : options) {
      logs.add(
          RatisMetaLog.open(
              option,
              new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE),
              Ticker.system(),
              (what, cause) -> {
                throw new IllegalStateException(what, cause);
              }));
    }
    RatisMetaLog leader = awaitLeader();
    this.batcher =
        new CommandBatcher(
            leader, InstantSource.system(), c -> 128, LeaderOptions.DEFAULT.entriesInFlight());
    batcher.start(1);
  }

  List<MetadataReply> submit(List<SessionCommand> commands, Deadline deadline) {
    return batcher.submit(1, commands, deadline);
  }

  private RatisMetaLog awaitLeader() throws InterruptedException {
    long end = System.nanoTime() + 30_000_000_000L;
    while (System.nanoTime() < end) {
      for (RatisMetaLog log : logs) {
        if (log.leadership().isLeaderReady()) {
          return log;
        }
      }
      Thread.sleep(50);
    }
    throw new IllegalStateException("no leader in 30 s");
  }

  /// Options of a group of three, each with a folder under `root` and free ports.
  static List<RatisOptions> options(String cluster, Path root) throws IOException {
    List<RatisPeer> peers = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      peers.add(
          new RatisPeer(
              "m" + i, new Endpoint("127.0.0.1", freePort()), new Endpoint("127.0.0.1", 1)));
    }
    List<RatisOptions> options = new ArrayList<>();
    for (RatisPeer peer : peers) {
      options.add(
          new RatisOptions(
              cluster,
              peer.node(),
              root.resolve(cluster).resolve(peer.node()),
              peers,
              RatisOptions.Timing.DEFAULT,
              RatisOptions.Storage.DEFAULT));
    }
    return options;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    batcher.close();
    logs.forEach(RatisMetaLog::close);
  }
}
