package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.connect.ClusterClient;
import dev.floe.store.node.StoreNode;
import dev.floe.store.node.StoreOptions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A local cluster inside this process: the same nodes as in production, with real Ratis and real
/// sockets on the loopback device. Masters can be killed and started again.
public final class EmbeddedCluster implements LocalCluster {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCluster.class);

  private final ClusterShape shape;
  private final Ticker ticker;
  private final SocketTransport transport;
  private final Map<String, MasterNode> masters = new TreeMap<>();
  private final Map<String, StoreNode> stores = new TreeMap<>();
  private final Map<String, String> ended = new ConcurrentSkipListMap<>();
  private final RandomGenerator random = new SecureRandom();
  private @Nullable ClusterClient storeClient;
  private boolean isClosed;

  public EmbeddedCluster(ClusterShape shape, Ticker ticker) {
    this.shape = shape;
    this.ticker = ticker;
    this.transport = new SocketTransport(ticker);
  }

  ClusterShape shape() {
    return shape;
  }

  @Override
  public void start() {
    ClusterRecord.check(shape);
    for (int i = 0; i < shape.masters(); i++) {
      startMaster(shape.masterName(i));
    }
    openStoreClient();
    for (int i = 0; i < shape.stores(); i++) {
      startStore(i);
    }
  }

  private synchronized void openStoreClient() {
    checkOpen();
    storeClient =
        ClusterClient.open(
            masters(),
            ClientOptions.DEFAULT,
            new ClusterClient.Seams(
                new Transport.Identity(shape.cluster(), "store/local"), ticker, random));
  }

  private synchronized void startStore(int index) {
    checkOpen();
    String name = shape.storeName(index);
    StoreOptions options =
        new StoreOptions(
            shape.cluster(),
            new RuntimeId(name),
            new StoreOptions.Address(shape.ports().data().get(index), Optional.empty()),
            Map.of(),
            List.of(new StoreOptions.SegmentOptions("memory-0", shape.segmentBytes())),
            Optional.of(shape.directoryOf(name).resolve("data")));
    stores.put(
        name,
        StoreNode.start(
            options,
            new StoreNode.Seams(
                transport,
                Objects.requireNonNull(storeClient).metadata(),
                ticker,
                random,
                null,
                failure -> ended.put(name, String.valueOf(failure.getMessage())))));
  }

  /// Starts a master that was killed; it takes its log up again.
  public synchronized void startMaster(String name) {
    checkOpen();
    MasterOptions options =
        new MasterOptions(
            shape.cluster(),
            name,
            shape.directoryOf(name).resolve("data"),
            peers(),
            MasterOptions.Behaviour.DEFAULT);
    ended.remove(name);
    masters.put(
        name,
        MasterNode.start(
            options,
            new MasterNode.Seams(
                transport,
                ticker,
                InstantSource.system(),
                (what, cause) -> {
                  LOG.error("master {} cannot go on: {}", name, what, cause);
                  ended.put(name, what);
                })));
  }

  private List<RatisPeer> peers() {
    List<RatisPeer> peers = new ArrayList<>();
    for (int i = 0; i < shape.masters(); i++) {
      peers.add(
          new RatisPeer(
              shape.masterName(i), shape.ports().raft().get(i), shape.ports().rpc().get(i)));
    }
    return peers;
  }

  /// Ends a master in the middle of whatever it does.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` when no such master runs
  public synchronized void killMaster(String name) {
    MasterNode node = masters.remove(name);
    if (node == null) {
      throw new FloeException(ErrorCode.INVALID_ARGUMENT, "no master " + name + " runs here");
    }
    node.kill();
  }

  private void checkOpen() {
    if (isClosed) {
      throw new FloeException(ErrorCode.CANCELLED, "the cluster was stopped while it started");
    }
  }

  @Override
  public List<Endpoint> masters() {
    return shape.ports().rpc();
  }

  @Override
  public List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < shape.masters(); i++) {
      nodes.add(new Node(shape.masterName(i), shape.ports().rpc().get(i), "in this process"));
    }
    for (int i = 0; i < shape.stores(); i++) {
      nodes.add(new Node(shape.storeName(i), shape.ports().data().get(i), "in this process"));
    }
    return nodes;
  }

  @Override
  public synchronized boolean hasJoined(ClusterView view) {
    return stores.values().stream().allMatch(store -> store.epoch() > 0);
  }

  @Override
  public Map<String, String> ended() {
    return new TreeMap<>(ended);
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    stores.forEach(EmbeddedCluster::closeQuietly);
    stores.clear();
    if (storeClient != null) {
      storeClient.close();
    }
    masters.forEach(EmbeddedCluster::closeQuietly);
    masters.clear();
  }

  private static void closeQuietly(String name, AutoCloseable node) {
    try {
      node.close();
    } catch (Exception e) {
      LOG.warn("node {} did not stop cleanly", name, e);
    }
  }
}
