package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.meta.model.RuntimeId;
import dev.floe.store.client.transfer.ClientOptions;
import java.time.Duration;
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
  private final TestClient owned =
      new TestClient(
          metadata,
          transport,
          ClientOptions.DEFAULT.with(
              new ClientOptions.Times(
                  Duration.ofMinutes(5), Duration.ofMinutes(1), Duration.ofSeconds(2), 1 << 20)));
  private final StoreClient client = owned.objects();

  @AfterEach
  void end() {
    owned.close();
    listener.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {(1L << 31) + 1, (1L << 32) + 3})
  void isStoredAndReadWhole(long size) {
    metadata.join(new RuntimeId("s"), listener.endpoint(), CAPACITY);
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
}
