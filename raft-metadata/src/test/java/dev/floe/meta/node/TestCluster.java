package dev.floe.meta.node;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.client.RetryPolicy;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Masters in this JVM over loopback, with short timeouts and small logs; real Ratis, real sockets.
final class TestCluster implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(40);

  private final Path root;
  private final List<RatisPeer> peers = new ArrayList<>();
  private final Map<String, MasterNode> running = new ConcurrentHashMap<>();
  private final Map<String, RatisPeer> joined = new ConcurrentHashMap<>();
  private final Map<Endpoint, Connection> connections = new ConcurrentHashMap<>();
  private final SnapshotTrigger.Thresholds snapshots;
  private final long preservedEntries;
  private Duration sessionTtl = Duration.ofMinutes(10);
  final ConcurrentLinkedQueue<String> fatal = new ConcurrentLinkedQueue<>();

  TestCluster(Path root, int masters) {
    this(root, masters, SnapshotTrigger.Thresholds.DEFAULT, 20_000);
  }

  TestCluster(Path root, int masters, SnapshotTrigger.Thresholds snapshots, long preservedEntries) {
    this.root = root;
    this.snapshots = snapshots;
    this.preservedEntries = preservedEntries;
    for (int i = 1; i <= masters; i++) {
      peers.add(new RatisPeer("m" + i, freeEndpoint(), freeEndpoint()));
    }
  }

  /// Masters of which some may run in another process.
  TestCluster(Path root, List<RatisPeer> peers) {
    this(root, 0);
    this.peers.addAll(peers);
  }

  List<RatisPeer> peers() {
    return List.copyOf(peers);
  }

  private static Endpoint freeEndpoint() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Endpoint("127.0.0.1", socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  MasterOptions options(String node) {
    return new MasterOptions(
        "test",
        node,
        directory(node),
        group(node),
        new MasterOptions.Behaviour(
            new RatisOptions.Timing(
                Duration.ofMillis(150), Duration.ofMillis(300), Duration.ofSeconds(3)),
            new RatisOptions.Storage(snapshots, 3, 16 * 1024, preservedEntries, 1, 1 << 20),
            new LeaderOptions(
                new LeaderOptions.Leases(
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(10),
                    sessionTtl,
                    Duration.ofSeconds(2)),
                Duration.ofMillis(100),
                3),
            StateConfig.DEFAULT));
  }

  private RatisOptions.Group group(String node) {
    RatisPeer joining = joined.get(node);
    if (joining == null) {
      return new RatisOptions.Group(peers, false);
    }
    List<RatisPeer> all = new ArrayList<>(peers);
    all.removeIf(peer -> peer.node().equals(node));
    all.add(joining);
    return new RatisOptions.Group(all, true);
  }

  /// Starts a master that waits to be added; others know it only when it is.
  ///
  /// @return where it is
  MasterAddress join(String node) {
    RatisPeer peer =
        peers.stream()
            .filter(p -> p.node().equals(node))
            .findFirst()
            .orElseGet(() -> new RatisPeer(node, freeEndpoint(), freeEndpoint()));
    joined.put(node, peer);
    start(node);
    return new MasterAddress(node, peer.raftEndpoint(), peer.rpcEndpoint());
  }

  Path directory(String node) {
    return root.resolve(node);
  }

  Path raftDirectory(String node) {
    return options(node).ratis().groupDirectory();
  }

  /// For masters that are started later.
  TestCluster withSessionTtl(Duration ttl) {
    sessionTtl = ttl;
    return this;
  }

  TestCluster startAll() {
    peers.forEach(p -> start(p.node()));
    return this;
  }

  MasterNode start(String node) {
    MasterNode master =
        MasterNode.start(
            options(node),
            new MasterNode.Seams(
                new SocketTransport(Ticker.system()),
                Ticker.system(),
                InstantSource.system(),
                (what, cause) -> fatal.add(node + ": " + what + ": " + cause)));
    running.put(node, master);
    return master;
  }

  MasterNode master(String node) {
    MasterNode master = running.get(node);
    if (master == null) {
      throw new AssertionError(node + " is not running");
    }
    return master;
  }

  List<MasterNode> masters() {
    return List.copyOf(running.values());
  }

  List<String> nodes() {
    return peers.stream().map(RatisPeer::node).toList();
  }

  Endpoint endpoint(String node) {
    return peers.stream()
        .filter(p -> p.node().equals(node))
        .findFirst()
        .orElseThrow()
        .rpcEndpoint();
  }

  void kill(String node) {
    MasterNode master = running.remove(node);
    if (master != null) {
      master.kill();
    }
  }

  void stop(String node) {
    MasterNode master = running.remove(node);
    if (master != null) {
      master.close();
    }
  }

  void wipe(String node) {
    try (Stream<Path> files = Files.walk(directory(node))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  MasterNode awaitLeader() {
    await("a leader", () -> masters().stream().anyMatch(m -> m.leadership().isLeaderReady()));
    return masters().stream()
        .filter(m -> m.leadership().isLeaderReady())
        .findFirst()
        .orElseGet(this::awaitLeader);
  }

  String someFollower() {
    String leader = awaitLeader().node();
    return running.keySet().stream().filter(n -> !n.equals(leader)).findFirst().orElseThrow();
  }

  static void await(String what, BooleanSupplier condition) {
    await(what, LONG.toSeconds(), condition);
  }

  static void await(String what, long seconds, BooleanSupplier condition) {
    Deadline deadline = Deadline.after(Ticker.system(), Duration.ofSeconds(seconds));
    while (!condition.getAsBoolean()) {
      if (deadline.isExpired()) {
        throw new AssertionError("waited in vain for " + what);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  static Deadline deadline() {
    return Deadline.after(Ticker.system(), LONG);
  }

  MetadataClient client() {
    return new MetadataClient(
        peers.stream().map(RatisPeer::rpcEndpoint).toList(),
        this::call,
        Ticker.system(),
        new Random(),
        RetryPolicy.DEFAULT);
  }

  Connection.Reply call(Endpoint master, Connection.Call call) {
    Connection connection =
        connections.compute(
            master,
            (to, open) ->
                open != null && open.isOpen()
                    ? open
                    : new SocketTransport(Ticker.system())
                        .connect(to, new Transport.Identity("test", "client/t"), call.deadline()));
    return connection.call(call);
  }

  /// A runtime with a segment of 1 TiB, so that puts find room.
  static void mountSpace(MetadataClient client) {
    RuntimeId runtime = new RuntimeId("r1");
    MetadataReply registered =
        client.submit(
            new MetadataCommand.RegisterRuntime(
                runtime, new SessionId(7, 7), Endpoint.parse("127.0.0.1:9999"), Map.of()),
            deadline());
    long epoch = ((MetadataReply.RuntimeRegistered) registered).epoch();
    MetadataReply mounted =
        client.submit(new MetadataCommand.MountSegment(runtime, epoch, "s1", 1L << 40), deadline());
    if (!(mounted instanceof MetadataReply.SegmentMounted)) {
      throw new AssertionError(mounted);
    }
  }

  /// Puts an object of one byte.
  ///
  /// @return the version that its writer was told
  static MetadataReply.PutStarted put(MetadataClient client, String key) {
    ObjectId id = ObjectId.of(key);
    MetadataReply started =
        client.submit(
            new MetadataCommand.PutStart(id, 1, MetadataCommand.Placement.replicas(1)), deadline());
    if (!(started instanceof MetadataReply.PutStarted put)) {
      throw new FloeException(ErrorCode.INTERNAL, key + ": put start: " + started);
    }
    List<Long> tokens = put.targets().stream().map(t -> t.replica().id()).toList();
    MetadataReply ended = client.submit(new MetadataCommand.PutEnd(id, tokens, 42), deadline());
    if (!(ended instanceof MetadataReply.Done)) {
      throw new FloeException(ErrorCode.INTERNAL, key + ": put end: " + ended);
    }
    return put;
  }

  /// Waits until all running masters have applied the same entry, and gives their digests there.
  List<Long> settledDigests() {
    List<Long> digests = new ArrayList<>();
    await(
        "equal indexes on all masters",
        () -> {
          digests.clear();
          List<Long> indexes = new ArrayList<>();
          for (MasterNode master : masters()) {
            indexes.add(master.log().localDigest().index());
            digests.add(master.log().localDigest().digest());
          }
          return indexes.stream().distinct().count() == 1
              && masters().stream()
                  .map(m -> m.log().localDigest().index())
                  .toList()
                  .equals(indexes);
        });
    return digests;
  }

  @Override
  public void close() {
    connections.values().forEach(Connection::close);
    List.copyOf(running.keySet()).forEach(this::stop);
  }
}
