package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.client.value.ValueSource;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The ways to read and write over real sockets.
class SocketPathsIT {
  private static final int CHUNK = TestStores.CHUNK;
  private static final int SIZE = 30 * CHUNK + 7;

  @TempDir private Path folder;

  private final TestStores stores =
      new TestStores(new SocketTransport(Ticker.system()), 2, 4096L * CHUNK);

  @AfterEach
  void nothingIsLeftBehind() {
    stores.close();
    stores.assertNothingIsHeld();
  }

  @ParameterizedTest
  @EnumSource(ReadApi.class)
  void everyWayReturnsTheExactBytes(ReadApi api) {
    for (int size : new int[] {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7, SIZE}) {
      byte[] value = put("k" + size, size);
      assertThat(api.read(stores.client, "k" + size, size, folder)).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @EnumSource(ReadApi.class)
  void aFaultInTheMiddleIsPassedOverOrReported(ReadApi api) {
    byte[] value = put("k", SIZE);
    for (Fault fault : Fault.values()) {
      AtomicInteger reads = new AtomicInteger();
      stores.transport.plan =
          (to, call) ->
              call.type() == FrameType.DATA_READ && reads.incrementAndGet() % 20 == 7
                  ? fault
                  : Fault.NONE;
      try {
        assertThat(api.read(stores.client, "k", SIZE, folder)).as("%s", fault).isEqualTo(value);
      } catch (FloeException e) {
        assertThat(e.code()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.CORRUPT);
      }
    }
    stores.transport.plan = (to, call) -> Fault.NONE;
    assertThat(api.read(stores.client, "k", SIZE, folder)).isEqualTo(value);
  }

  @Test
  void aStoreThatDiesWhileManyReadIsPassedOver() throws Exception {
    byte[] value = put("k", SIZE);
    AtomicInteger reads = new AtomicInteger();
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_READ && reads.incrementAndGet() == 100) {
            Thread.ofVirtual().start(() -> stores.stop(0));
          }
          return Fault.NONE;
        };
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> all =
          IntStream.range(0, 40)
              .mapToObj(i -> executor.submit(() -> stores.client.get("k")))
              .toList();
      for (Future<byte[]> one : all) {
        assertThat(one.get()).isEqualTo(value);
      }
    }
    assertThat(stores.client.get("k")).isEqualTo(value);
  }

  private byte[] put(String key, int size) {
    byte[] value = TestStores.value(size, key.hashCode());
    assertThat(stores.client.put(key, ValueSource.of(value), PutOptions.replicas(2)))
        .isInstanceOf(PutResult.Stored.class);
    return value;
  }
}
