package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.store.client.value.ValueSource;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// A client with three stores and fake masters, and what its tests need again and again.
abstract class StoreClientFixture {
  static final int CHUNK = TestStores.CHUNK;

  static final int SIZE = 3 * CHUNK + 7;

  @TempDir Path folder;

  final TestStores stores = new TestStores(new InMemoryTransport(Ticker.system()), 3, 256L * CHUNK);

  final StoreClient client = stores.client;

  @AfterEach
  void nothingIsLeftBehind() {
    stores.close();
    stores.assertNothingIsHeld();
  }

  void put(String key, int replicas, byte[] value) {
    assertThat(client.put(key, ValueSource.of(value), PutOptions.replicas(replicas)))
        .isInstanceOf(PutResult.Stored.class);
  }

  void put(String key, ValueSource source) {
    PutResult.Present result = client.put(key, source, PutOptions.replicas(3));
    assertThat(result).isInstanceOf(PutResult.Stored.class);
  }

  static FloeException failure(Runnable call) {
    try {
      call.run();
    } catch (FloeException e) {
      return e;
    }
    throw new AssertionError("a success was reported");
  }
}
