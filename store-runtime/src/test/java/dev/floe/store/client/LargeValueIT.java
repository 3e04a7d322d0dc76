package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.buffer.BufferPool;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.SocketTransport;
import dev.floe.core.wire.Transport;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Values around and above 2 and 4 GiB, whole and in parts, with the memory of a few chunks.
class LargeValueIT {
  private static final long CAPACITY = 1L << 34;

  private final FakeMetadata metadata = new FakeMetadata();
  private final PatternStore store = new PatternStore();
  private final SocketTransport transport = new SocketTransport(Ticker.system());
  private final Transport.Listener listener =
      transport.listen(
          new Endpoint("127.0.0.1", 0), new Transport.Identity("c", "store/s"), store.handlers());
  private final BufferPool buffers = new BufferPool(64 << 20);
  private final PeerPool peers =
      new PeerPool(
          transport,
          new Transport.Identity("", "client"),
          PeerPool.Options.standard(Ticker.system()));
  private final StoreClient client =
      new StoreClient(
          metadata,
          peers,
          buffers,
          new StoreClient.Sources(Ticker.system(), new Random(1)),
          ClientOptions.DEFAULT.with(
              new ClientOptions.Times(
                  Duration.ofMinutes(5), Duration.ofMinutes(1), Duration.ofSeconds(2), 1 << 20)));

  @AfterEach
  void end() {
    client.close();
    peers.close();
    listener.close();
    assertThat(buffers.outstandingLeases()).isZero();
    buffers.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {(1L << 31) + 1, (1L << 32) + 3})
  void isStoredAndReadWhole(long size) {
    mount();
    PutResult.Stored stored =
        (PutResult.Stored) client.put("large", new PatternStore.Source(size), PutOptions.DEFAULT);
    assertThat(stored.sizeBytes()).isEqualTo(size);
    assertThat(store.writtenBytes).hasValue(size);

    PatternStore.Sink whole = new PatternStore.Sink(0);
    GetResult.Loaded loaded = client.get("large", whole, GetOptions.DEFAULT);
    assertThat(loaded.receivedBytes()).isEqualTo(size);
    assertThat(whole.receivedBytes()).isEqualTo(size);

    for (long from : new long[] {size - 16, size - (1L << 31) + 8, 8}) {
      long aligned = from - from % 8;
      long length = Math.min(size - aligned, 3 << 20);
      PatternStore.Sink part = new PatternStore.Sink(aligned);
      client.getRange("large", aligned, length, part, GetOptions.DEFAULT);
      assertThat(part.receivedBytes()).isEqualTo(length);
    }
  }

  private void mount() {
    RuntimeId id = new RuntimeId("s");
    MetadataReply registered =
        metadata.submit(
            new MetadataCommand.RegisterRuntime(
                id, new SessionId(1, 1), listener.endpoint(), Map.of()),
            TestStores.soon());
    metadata.submit(
        new MetadataCommand.MountSegment(
            id, ((MetadataReply.RuntimeRegistered) registered).epoch(), "main", CAPACITY),
        TestStores.soon());
  }
}
