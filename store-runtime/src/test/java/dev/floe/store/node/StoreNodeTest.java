package dev.floe.store.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SegmentId;
import dev.floe.store.client.FakeMetadata;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.TestClient;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.segment.MemorySource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreNodeTest {
  private static final RuntimeId ID = new RuntimeId("s1");
  private static final long CAPACITY = 1 << 20;

  @TempDir private Path folder;

  private final FakeMetadata metadata = new FakeMetadata();
  private final InMemoryTransport transport = new InMemoryTransport(Ticker.system());
  private final BlockingQueue<FloeException> fatal = new LinkedBlockingQueue<>();
  private final List<StoreNode> nodes = new ArrayList<>();
  private final TestClient owned = new TestClient(metadata, transport, ClientOptions.DEFAULT);
  private final StoreClient client = owned.objects();

  @BeforeEach
  void leasesAreShort() {
    metadata.runtimeLeaseMillis = 15;
  }

  @AfterEach
  void end() {
    nodes.forEach(StoreNode::close);
    owned.close();
  }

  @Test
  void joinsTheClusterAndServes() throws InterruptedException {
    StoreNode node = start(options(0));
    assertThat(node.awaitMounted(soon())).isTrue();
    assertThat(node.segments()).hasSize(2).isEqualTo(metadata.mounted());
    client.put("k", new byte[] {1, 2, 3});
    assertThat(client.get("k")).containsExactly(1, 2, 3);
  }

  @Test
  void waitsForALeader() throws InterruptedException {
    AtomicInteger refusals = new AtomicInteger(3);
    metadata.beforeSubmit =
        () -> {
          if (refusals.getAndDecrement() > 0) {
            throw new FloeException(ErrorCode.UNAVAILABLE, "no leader");
          }
        };
    StoreNode node = start(options(0));
    assertThat(node.awaitMounted(soon())).isTrue();
    assertThat(refusals.get()).isNegative();
  }

  @Test
  void goesOnServingWhileNoMasterAnswersItsRenewals() throws InterruptedException {
    StoreNode node = start(options(0));
    assertThat(node.awaitMounted(soon())).isTrue();
    client.put("k", new byte[] {1});
    CountDownLatch refused = new CountDownLatch(3);
    metadata.beforeRenew =
        () -> {
          refused.countDown();
          throw new FloeException(ErrorCode.UNAVAILABLE, "no leader");
        };
    assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(client.get("k")).containsExactly(1);
    assertThat(fatal).isEmpty();
  }

  @Test
  void registersAnewWhenItsLeaseEndedAndItsOldSegmentsAreGone() throws InterruptedException {
    StoreNode node = start(options(0));
    assertThat(node.awaitMounted(soon())).isTrue();
    client.put("k", new byte[] {1});
    List<Resolution.Found> old = new ArrayList<>();
    metadata.found =
        found -> {
          old.add(found);
          return found;
        };
    client.get("k");
    long epoch = node.epoch();
    List<SegmentId> before = node.segments();

    metadata.expire(ID);
    await(() -> node.epoch() > epoch);
    assertThat(node.segments()).hasSize(2).doesNotContainAnyElementsOf(before);

    // A client that kept the old location gets an error, also when the key has a value again.
    client.put("k", new byte[] {2});
    metadata.found = found -> old.getFirst();
    assertThatThrownBy(() -> client.get("k"))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("is not mounted here");
    metadata.found = found -> found;
    assertThat(client.get("k")).containsExactly(2);
  }

  @Test
  void stopsServingWhenAnotherProcessTookItsId() throws InterruptedException {
    StoreNode first = start(options(0));
    assertThat(first.awaitMounted(soon())).isTrue();
    StoreNode second = start(options(0));
    assertThat(second.awaitMounted(soon())).isTrue();
    FloeException reason = fatal.poll(20, TimeUnit.SECONDS);
    assertThat(reason).isNotNull();
    assertThat(reason.code()).isEqualTo(ErrorCode.STALE_EPOCH);
    assertThat(reason)
        .hasMessageContaining("another process runs as store 's1'")
        .hasMessageContaining("set back to an older backup: start this store again");
    assertThat(first.segments()).isEmpty();
    client.put("k", new byte[] {1});
    assertThat(client.get("k")).containsExactly(1);
    assertThat(fatal).isEmpty();
  }

  @Test
  void waitsForTheLeaseOfAnotherProcessUnderItsIdAndStopsWhenThatOneOutlivesIt()
      throws InterruptedException {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger refusals = new AtomicInteger();
    metadata.beforeSubmit =
        () -> {
          refusals.incrementAndGet();
          throw new MetadataReply.Failed(ErrorCode.RUNTIME_IN_USE, "a process at h:1", 9_000)
              .toException();
        };
    StoreOptions options = options(0, Optional.of(folder.resolve("data")));
    StoreNode node = start(options, nanos::get);
    // The first refusal says how long the other lease lasts; a second one means that it was heard.
    await(() -> refusals.get() >= 2);
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    // Refusal n + 1 was asked for after the lease's end, and n + 2 means that it was borne.
    int before = refusals.get();
    await(() -> refusals.get() >= before + 2 || !fatal.isEmpty());
    assertThat(fatal).isEmpty();

    nanos.addAndGet(Duration.ofSeconds(6).toNanos());
    FloeException reason = fatal.poll(20, TimeUnit.SECONDS);
    assertThat(reason).isNotNull();
    assertThat(reason.code()).isEqualTo(ErrorCode.RUNTIME_IN_USE);
    assertThat(reason)
        .hasMessageContaining("'s1'")
        .hasMessageContaining(folder.resolve("data").toString())
        .hasMessageContaining("a process at h:1");
    assertThat(node.segments()).isEmpty();
  }

  /// Each leader that comes gives a dead process its full lease again.
  @Test
  void countsTheLeaseOfAnotherProcessAnewWhenALeaderHasCome() throws InterruptedException {
    AtomicLong nanos = new AtomicLong();
    Semaphore refusals = new Semaphore(0);
    metadata.beforeSubmit =
        () -> {
          refusals.release();
          throw new MetadataReply.Failed(ErrorCode.RUNTIME_IN_USE, "a process at h:1", 9_000)
              .toException();
        };
    start(options(0), nanos::get);
    assertThat(refusals.tryAcquire(3, 20, TimeUnit.SECONDS)).isTrue();
    metadata.term = 2;
    nanos.addAndGet(Duration.ofSeconds(15).toNanos());
    refusals.drainPermits();
    assertThat(refusals.tryAcquire(3, 20, TimeUnit.SECONDS)).isTrue();
    assertThat(fatal).isEmpty();

    nanos.addAndGet(Duration.ofSeconds(15).toNanos());
    assertThat(fatal.poll(20, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void closingTakesItsSegmentsOutOfTheCluster() throws InterruptedException {
    StoreNode node = start(options(0));
    assertThat(node.awaitMounted(soon())).isTrue();
    node.close();
    node.close();
    assertThat(metadata.mounted()).isEmpty();
    assertThat(node.awaitMounted(soon())).isFalse();
  }

  @Test
  void closingWithoutMastersEndsToo() throws InterruptedException {
    StoreNode node = start(options(0));
    assertThat(node.awaitMounted(soon())).isTrue();
    metadata.beforeSubmit =
        () -> {
          throw new FloeException(ErrorCode.UNAVAILABLE, "no leader");
        };
    node.close();
    assertThat(metadata.mounted()).hasSize(2);
  }

  @Test
  void aKilledNodeSaysNothingAndItsReadersFail() throws InterruptedException {
    StoreNode node = start(options(0));
    assertThat(node.awaitMounted(soon())).isTrue();
    client.put("k", new byte[] {1});
    node.kill();
    assertThat(metadata.mounted()).hasSize(2);
    assertThatThrownBy(() -> client.get("k"))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  @Test
  void killingGivesTheFolderUpOnlyWhenNothingIsBeingAskedAnyMore() throws InterruptedException {
    StoreOptions options = options(0, Optional.of(folder.resolve("data")));
    StoreNode node = start(options);
    assertThat(node.awaitMounted(soon())).isTrue();
    CountDownLatch asking = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    metadata.beforeRenew =
        () -> {
          asking.countDown();
          var _ = awaitUninterrupted(answer);
        };
    assertThat(asking.await(20, TimeUnit.SECONDS)).isTrue();
    Thread killer = Thread.ofPlatform().start(node::kill);
    await(
        () ->
            killer.getState() == Thread.State.WAITING
                || killer.getState() == Thread.State.TERMINATED);
    assertFails(ErrorCode.DIRECTORY_IN_USE, options);
    answer.countDown();
    killer.join();
    metadata.beforeRenew = () -> {};
    assertThat(start(options).awaitMounted(soon())).isTrue();
  }

  private static boolean awaitUninterrupted(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the lease", e);
    }
  }

  @Test
  void aStartThatFailsLeavesNothingRunning() {
    StoreNode node = start(options(0));
    int port = node.endpoint().port();
    StoreOptions taken = options(port, Optional.of(folder.resolve("other")));
    for (int i = 0; i < 2; i++) {
      assertFails(ErrorCode.ADDRESS_IN_USE, taken);
    }
    node.close();
    assertThat(start(taken).endpoint().port()).isEqualTo(port);
  }

  @Test
  void aFolderBelongsToOneRunningStore() {
    StoreOptions options = options(0, Optional.of(folder.resolve("data")));
    StoreNode node = start(options);
    assertFails(ErrorCode.DIRECTORY_IN_USE, options);
    node.close();
    StoreOptions other =
        new StoreOptions(
            "another",
            options.runtime(),
            options.address(),
            options.labels(),
            options.segments(),
            options.directory());
    assertFails(ErrorCode.DIRECTORY_OF_ANOTHER_NODE, other);
    start(options);
  }

  @Test
  void refusesMoreMemoryThanThereIs() {
    long huge = 1L << 43;
    StoreOptions options =
        new StoreOptions(
            "c",
            ID,
            address(0),
            Map.of(),
            List.of(new StoreOptions.SegmentOptions("main", huge)),
            Optional.empty());
    assertThatThrownBy(() -> start(options))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .hasMessageContaining(String.valueOf(huge))
        .hasMessageContaining("are available");
  }

  @Test
  void optionsThatCannotWorkAreRefused() {
    StoreOptions.SegmentOptions segment = new StoreOptions.SegmentOptions("a", 1);
    for (Runnable wrong :
        List.<Runnable>of(
            () -> new StoreOptions.SegmentOptions(" ", 1),
            () -> new StoreOptions.SegmentOptions("a", 0),
            () -> new StoreOptions.SegmentOptions("a", -1),
            () -> new StoreOptions.Address(new Endpoint("0.0.0.0", 1), Optional.empty()),
            () -> new StoreOptions("c", ID, address(0), Map.of(), List.of(), Optional.empty()),
            () ->
                new StoreOptions(
                    "c", ID, address(0), Map.of(), List.of(segment, segment), Optional.empty()))) {
      assertThatThrownBy(wrong::run)
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
    }
  }

  private void assertFails(ErrorCode code, StoreOptions options) {
    assertThatThrownBy(() -> start(options))
        .isInstanceOfSatisfying(FloeException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private StoreNode start(StoreOptions options) {
    return start(options, Ticker.system());
  }

  private StoreNode start(StoreOptions options, Ticker ticker) {
    StoreNode node =
        StoreNode.start(
            options,
            new StoreNode.Seams(
                transport, metadata, ticker, new Random(), MemorySource.ofProcess(), fatal::add));
    nodes.add(node);
    return node;
  }

  private static StoreOptions options(int port) {
    return options(port, Optional.empty());
  }

  private static StoreOptions options(int port, Optional<Path> directory) {
    return new StoreOptions(
        "c",
        ID,
        address(port),
        Map.of("host", "h1"),
        List.of(
            new StoreOptions.SegmentOptions("main", CAPACITY),
            new StoreOptions.SegmentOptions("second", CAPACITY)),
        directory);
  }

  private static StoreOptions.Address address(int port) {
    return new StoreOptions.Address(new Endpoint("127.0.0.1", port), Optional.empty());
  }

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(20));
  }

  private static void await(BooleanSupplier condition) {
    Deadline deadline = soon();
    while (!condition.getAsBoolean()) {
      assertThat(deadline.isExpired()).as("it did not happen").isFalse();
      LockSupport.parkNanos(1_000_000);
    }
  }
}
