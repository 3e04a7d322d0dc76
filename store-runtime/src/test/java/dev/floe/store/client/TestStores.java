package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.buffer.BufferPool;
import dev.floe.core.peer.CircuitBreaker;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.meta.model.RuntimeId;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.MemorySource;
import dev.floe.store.segment.SegmentMemory;
import dev.floe.store.segment.StoreSegment;
import dev.floe.store.wire.DataService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Some store runtimes with real segments and a real data service, fake masters, and a client.
final class TestStores implements AutoCloseable {
  static final int CHUNK = 4096;
  static final ClientOptions OPTIONS =
      ClientOptions.DEFAULT.with(new ClientOptions.Transfer(CHUNK, 4, 64L * CHUNK));

  final FakeMetadata metadata = new FakeMetadata();
  final FaultyTransport transport;

  /// Fewer than the bytes a client may have under way, so that readers also run out of buffers.
  final BufferPool buffers = new BufferPool(10L * CHUNK, List.of(CHUNK));

  final StoreClient client;
  final List<Endpoint> endpoints = new ArrayList<>();
  final List<StoreSegment> segments = new ArrayList<>();
  private final List<Runnable> open = new ArrayList<>();
  private final List<Transport.Listener> listeners = new ArrayList<>();
  private final PeerPool peers;

  TestStores(Transport real, int runtimes, long capacityBytes) {
    // The breaker has tests of its own; here it would make outcomes depend on earlier faults.
    this(
        real,
        runtimes,
        capacityBytes,
        new CircuitBreaker.Settings(Integer.MAX_VALUE, Duration.ofMillis(1), Duration.ofMillis(1)));
  }

  TestStores(Transport real, int runtimes, long capacityBytes, CircuitBreaker.Settings breaker) {
    transport = new FaultyTransport(real);
    peers =
        new PeerPool(
            transport,
            new Transport.Identity("", "client"),
            new PeerPool.Options(Ticker.system(), 2, Duration.ofSeconds(3), breaker));
    for (int i = 0; i < runtimes; i++) {
      addRuntime(new RuntimeId("r" + i), capacityBytes);
    }
    client =
        new StoreClient(
            metadata,
            peers,
            buffers,
            new StoreClient.Sources(Ticker.system(), new Random(1)),
            OPTIONS);
  }

  private void addRuntime(RuntimeId id, long capacityBytes) {
    MemorySegmentStore store = new MemorySegmentStore();
    StoreSegment segment =
        new StoreSegment(SegmentMemory.allocate(capacityBytes, MemorySource.ofProcess()));
    Transport.Listener listener =
        transport.listen(
            new Endpoint("127.0.0.1", 0),
            new Transport.Identity("test", "store/" + id),
            new DataService(store).handlers());
    store.publish(metadata.join(id, listener.endpoint(), capacityBytes), segment);
    endpoints.add(listener.endpoint());
    segments.add(segment);
    listeners.add(listener);
    open.add(listener::close);
    open.add(segment::close);
  }

  /// Ends a store's listener and connections, as when its process dies.
  void stop(int index) {
    listeners.get(index).close();
  }

  static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(20));
  }

  /// Bytes that differ between values and between places of a value.
  static byte[] value(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Override
  public void close() {
    client.close();
    peers.close();
    open.forEach(Runnable::run);
    buffers.close();
  }

  /// After `close`, which waits for the handlers: no buffer is lent, no guard held.
  void assertNothingIsHeld() {
    assertThat(buffers.outstandingLeases()).as("buffers that were not given back").isZero();
    for (StoreSegment segment : segments) {
      assertThat(segment.stats().guards()).as("guards that were not closed").isZero();
    }
  }
}
