package dev.floe.store.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.FloeException;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.client.RetryPolicy;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.state.StateConfig;
import dev.floe.store.client.ObjectStat;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.PutResult;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.TestClient;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.local.PortPlan;
import dev.floe.store.segment.MemorySource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real stores, a real master and a real client over loopback: a store dies and comes back.
class StoresAndMasterIT {
  private static final int VALUES = 25;

  @TempDir private Path folder;

  private final Ticker ticker = Ticker.system();
  private final SocketTransport transport = new SocketTransport(ticker);
  private final Deque<Runnable> open = new ArrayDeque<>();

  @AfterEach
  void end() {
    open.forEach(Runnable::run);
  }

  @Test
  void everyByteComesBackWhenAStoreDiesAndReturns() throws Exception {
    Endpoint rpc = startMaster();
    MetadataClient metadata = metadata(rpc);
    StoreNode first = startStore("s1", rpc);
    StoreNode second = startStore("s2", rpc);
    assertThat(first.awaitMounted(soon())).isTrue();
    assertThat(second.awaitMounted(soon())).isTrue();
    StoreClient client = client(metadata);
    for (int i = 0; i < VALUES; i++) {
      PutResult.Present result =
          client.put("k" + i, ValueSource.of(value(i)), PutOptions.replicas(2));
      assertThat(result)
          .isInstanceOfSatisfying(
              PutResult.Stored.class, stored -> assertThat(stored.replicas()).isEqualTo(2));
    }
    assertAllThere(client);

    first.kill();
    assertAllThere(client);
    await(() -> metadata.clusterView(false, soon()).runtimes().size() == 1);
    assertAllThere(client);
    assertThat(client.stat("k0").map(ObjectStat::replicas).orElseThrow()).hasSize(1);

    StoreNode again = startStore("s1", rpc);
    assertThat(again.awaitMounted(soon())).isTrue();
    assertAllThere(client);
    byte[] late = value(99);
    assertThat(client.put("late", ValueSource.of(late), PutOptions.replicas(2)))
        .isInstanceOfSatisfying(
            PutResult.Stored.class, stored -> assertThat(stored.replicas()).isEqualTo(2));
    second.close();
    assertThat(client.get("late")).isEqualTo(late);
    // What only the second store held went with it, and says so.
    assertThat(client.exist("k0")).isFalse();
    assertThat(client.remove("late", true)).isTrue();
    assertThat(metadata.clusterView(false, soon()).totals().objects()).isZero();
  }

  /// The lease outlasts the test by far, so nothing here can come from its end.
  @Test
  void aStoreThatWasKilledComesBackAtOnceAndAStrangerUnderItsIdIsRefused() throws Exception {
    Endpoint rpc = startMaster(Duration.ofMinutes(30));
    StoreNode first = startStore("s1", rpc);
    assertThat(first.awaitMounted(soon())).isTrue();

    BlockingQueue<FloeException> fatal = new LinkedBlockingQueue<>();
    StoreNode stranger = startStore("s1", folder.resolve("stranger"), rpc, fatal::add);
    assertThat(stranger.awaitMounted(Deadline.after(Ticker.system(), Duration.ofSeconds(1))))
        .isFalse();
    assertThat(fatal).as("the first could be dead as long as its lease lasts").isEmpty();
    assertThat(stranger.segments()).isEmpty();
    stranger.close();
    MetadataClient metadata = metadata(rpc);
    StoreClient client = client(metadata);
    client.put("k", value(3));
    assertThat(client.get("k")).isEqualTo(value(3));

    long epoch = first.epoch();
    first.kill();
    StoreNode again = startStore("s1", rpc);
    assertThat(again.awaitMounted(soon())).isTrue();
    assertThat(again.epoch()).isGreaterThan(epoch);
    again.close();

    // Who has left holds nothing, so its id is free for another data directory.
    StoreNode moved = startStore("s1", folder.resolve("moved"), rpc, fatal::add);
    assertThat(moved.awaitMounted(soon())).isTrue();
    assertThat(fatal).isEmpty();
  }

  @Test
  void aReplacedValueIsReadUntilTheNewOneIsWhole() throws Exception {
    Endpoint rpc = startMaster();
    assertThat(startStore("s1", rpc).awaitMounted(soon())).isTrue();
    StoreClient client = client(metadata(rpc));
    PutOptions replacing = PutOptions.replicas(1).withWrite(WriteOptions.DEFAULT.replacing());
    client.put("k", ValueSource.of(value(3)), replacing);
    for (int i = 4; i < 12; i++) {
      client.put("k", ValueSource.of(value(i)), replacing);
      assertThat(client.get("k")).isEqualTo(value(i));
    }
    assertThat(client.put("k", ValueSource.of(value(3)), PutOptions.replicas(1)))
        .isInstanceOf(PutResult.AlreadyExists.class);
    assertThat(client.get("k")).isEqualTo(value(11));
  }

  /// Three times the memory goes in; what is pinned and what came last is there at the end.
  @Test
  void theOldestValuesGoWhenMemoryIsFullAndPinnedOnesStay() throws Exception {
    Endpoint rpc = startMaster();
    assertThat(startStore("s1", rpc).awaitMounted(soon())).isTrue();
    StoreClient client = client(metadata(rpc));
    byte[] value = new byte[4 << 20];
    new Random(1).nextBytes(value);
    client.put(
        "pinned",
        ValueSource.of(value),
        PutOptions.replicas(1)
            .withWrite(
                new WriteOptions(false, DataType.KVCACHE, "", true, SoftPin.Preserve.INSTANCE)));
    for (int i = 0; i < 96; i++) {
      assertThat(client.put("k" + i, ValueSource.of(value), PutOptions.replicas(1)))
          .as("value %d", i)
          .isInstanceOf(PutResult.Stored.class);
    }
    assertThat(client.get("pinned")).isEqualTo(value);
    assertThat(client.get("k95")).isEqualTo(value);
    assertThat(client.exist("k0")).isFalse();
  }

  private static void assertAllThere(StoreClient client) {
    for (int i = 0; i < VALUES; i++) {
      assertThat(client.get("k" + i)).isEqualTo(value(i));
    }
  }

  private static byte[] value(int seed) {
    byte[] bytes = new byte[seed * 131_072 + seed];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Endpoint startMaster() {
    // Long enough for a store whose machine is busy to renew in time.
    return startMaster(Duration.ofSeconds(3));
  }

  private Endpoint startMaster(Duration runtimeTtl) {
    PortPlan ports = PortPlan.free(1, 0);
    Endpoint rpc = ports.rpc().getFirst();
    RatisPeer self = new RatisPeer("m1", ports.raft().getFirst(), rpc);
    LeaderOptions leader =
        new LeaderOptions(
            new LeaderOptions.Leases(
                runtimeTtl, Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofMillis(300)),
            Duration.ofMillis(50),
            3);
    MasterNode master =
        MasterNode.start(
            new MasterOptions(
                "c",
                "m1",
                folder.resolve("m1"),
                List.of(self),
                new MasterOptions.Behaviour(
                    RatisOptions.Timing.DEFAULT,
                    RatisOptions.Storage.DEFAULT,
                    leader,
                    StateConfig.DEFAULT)),
            new MasterNode.Seams(
                transport,
                ticker,
                InstantSource.system(),
                (what, cause) -> {
                  throw new AssertionError(what, cause);
                }));
    open.push(master::close);
    return rpc;
  }

  private PeerPool peers(String node) {
    PeerPool peers =
        new PeerPool(
            transport, new Transport.Identity("c", node), PeerPool.Options.standard(ticker));
    open.push(peers::close);
    return peers;
  }

  private MetadataClient metadata(Endpoint rpc) {
    MetadataClient client =
        new MetadataClient(
            List.of(rpc), peers("client")::call, ticker, new Random(), RetryPolicy.DEFAULT);
    open.push(client::close);
    return client;
  }

  private StoreNode startStore(String id, Endpoint rpc) {
    return startStore(
        id,
        folder.resolve(id),
        rpc,
        fatal -> {
          throw new AssertionError(fatal);
        });
  }

  private StoreNode startStore(
      String id, Path directory, Endpoint rpc, Consumer<FloeException> fatal) {
    StoreNode node =
        StoreNode.start(
            new StoreOptions(
                "c",
                new RuntimeId(id),
                new StoreOptions.Address(new Endpoint("127.0.0.1", 0), Optional.empty()),
                Map.of(),
                List.of(new StoreOptions.SegmentOptions("main", 128L << 20)),
                Optional.of(directory)),
            new StoreNode.Seams(
                transport, metadata(rpc), ticker, new Random(), MemorySource.ofProcess(), fatal));
    open.push(node::close);
    return node;
  }

  private StoreClient client(MetadataClient metadata) {
    TestClient client = new TestClient(metadata, transport, ClientOptions.DEFAULT);
    open.push(client::close);
    return client.objects();
  }

  private Deadline soon() {
    return Deadline.after(ticker, Duration.ofSeconds(30));
  }

  private void await(BooleanSupplier condition) {
    Deadline deadline = soon();
    while (!condition.getAsBoolean()) {
      assertThat(deadline.isExpired()).as("it did not happen").isFalse();
      LockSupport.parkNanos(20_000_000);
    }
  }
}
