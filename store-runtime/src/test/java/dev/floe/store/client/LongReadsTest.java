package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.peer.CircuitBreaker;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.model.RouteVersion;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Reads that take long, that are many, or whose stores or destinations fail.
class LongReadsTest extends StoreClientFixture {
  @Test
  void aLongReadRenewsItsLease() {
    byte[] value = TestStores.value(20 * CHUNK, 1);
    put("k", 2, value);
    AtomicInteger lookUps = new AtomicInteger();
    stores.metadata.beforeResolve = lookUps::incrementAndGet;
    stores.metadata.leaseMillis = 1;
    // The channel takes its time, so that the lease of a millisecond is always due.
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    client.get("k", ValueSink.of(slowChannel(target)), GetOptions.DEFAULT);
    assertThat(target.toByteArray()).isEqualTo(value);
    assertThat(lookUps.get()).isGreaterThan(10);
  }

  @Test
  void aLongReadGoesOnWhenNoMasterRenewsItsLease() {
    byte[] value = TestStores.value(20 * CHUNK, 1);
    put("k", 2, value);
    stores.metadata.beforeResolve = failFrom(2, ErrorCode.UNAVAILABLE);
    stores.metadata.leaseMillis = 1;
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    client.get("k", ValueSink.of(slowChannel(target)), GetOptions.DEFAULT);
    assertThat(target.toByteArray()).isEqualTo(value);
  }

  @Test
  void aLongReadThatFindsItsObjectReplacedIsNoSuccess() {
    put("k", 2, TestStores.value(20 * CHUNK, 1));
    stores.metadata.leaseMillis = 1;
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    stores.metadata.found =
        found ->
            target.size() == 0
                ? found
                : new MetadataApi.Resolution.Found(
                    new RouteVersion(999, 0),
                    found.sizeBytes(),
                    found.checksum(),
                    found.replicas(),
                    1);
    FloeException error =
        failure(() -> client.get("k", ValueSink.of(slowChannel(target)), GetOptions.DEFAULT));
    assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(error).hasMessageContaining("was replaced");
  }

  @Test
  void aDestinationThatFailsIsNotBlamedOnTheReplicas() {
    put("k", 2, TestStores.value(SIZE, 1));
    WritableByteChannel full =
        new WritableByteChannel() {
          @Override
          public int write(ByteBuffer bytes) throws IOException {
            throw new IOException("no space left");
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    FloeException error = failure(() -> client.get("k", ValueSink.of(full), GetOptions.DEFAULT));
    assertThat(error.code()).isEqualTo(ErrorCode.IO_ERROR);
    assertThat(error).hasMessageContaining("no space left");
    assertThat(client.stats().snapshot().trouble().failovers()).isZero();
  }

  @Test
  void aDeadStoreCostsNoTimeOnceItsCircuitIsOpen() {
    CircuitBreaker.Settings quick =
        new CircuitBreaker.Settings(1, Duration.ofDays(1), Duration.ofDays(1));
    try (TestStores two =
        new TestStores(new InMemoryTransport(Ticker.system()), 2, 256L * CHUNK, quick)) {
      byte[] value = TestStores.value(SIZE, 1);
      two.client.put("k", ValueSource.of(value), PutOptions.replicas(2));
      two.stop(0);
      AtomicInteger requests = new AtomicInteger();
      for (int i = 0; i < 10; i++) {
        assertThat(two.client.get("k")).isEqualTo(value);
      }
      two.transport.plan =
          (to, call) -> {
            requests.addAndGet(to.equals(two.endpoints.getFirst()) ? 1 : 0);
            return Fault.NONE;
          };
      for (int i = 0; i < 10; i++) {
        assertThat(two.client.get("k")).isEqualTo(value);
      }
      assertThat(requests).as("requests to the dead store").hasValue(0);
    }
  }

  @Test
  void manyThreadsShareOneClient() {
    List<Integer> workers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      workers.add(i);
    }
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker : workers) {
        Future<?> _ =
            executor.submit(
                () -> {
                  for (int round = 0; round < 10; round++) {
                    String key = "w" + worker + "/" + round;
                    int size = (worker * 977 + round * 1733) % (3 * CHUNK);
                    byte[] value = TestStores.value(size, key.hashCode());
                    put(key, 2, value);
                    if (!Arrays.equals(client.get(key), value)) {
                      wrong.add(key);
                    }
                    client.remove(key, true);
                  }
                  return worker;
                });
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(client.stats().snapshot().work().gets()).isEqualTo(160);
  }

  @Test
  void manyReadersWithFewBuffersDoNotWaitForEachOther() throws Exception {
    byte[] value = TestStores.value(20 * CHUNK, 1);
    put("k", 1, value);
    GetOptions soon = GetOptions.DEFAULT.withTimeout(Duration.ofSeconds(20));
    List<Future<byte[]>> all = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 40; i++) {
        all.add(
            executor.submit(
                () -> {
                  byte[] target = new byte[value.length];
                  client.get("k", ValueSink.of(target), soon);
                  return target;
                }));
      }
    }
    for (Future<byte[]> one : all) {
      assertThat(one.get()).isEqualTo(value);
    }
    assertThat(client.stats().snapshot().trouble().failovers()).isZero();
  }

  private static Runnable failFrom(int n, ErrorCode code) {
    AtomicInteger calls = new AtomicInteger();
    return () -> {
      if (calls.incrementAndGet() >= n) {
        throw new FloeException(code, "injected");
      }
    };
  }

  private static WritableByteChannel slowChannel(ByteArrayOutputStream target) {
    WritableByteChannel inner = Channels.newChannel(target);
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer bytes) throws IOException {
        long until = System.nanoTime() + 2_000_000;
        while (System.nanoTime() < until) {
          Thread.onSpinWait();
        }
        return inner.write(bytes);
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
