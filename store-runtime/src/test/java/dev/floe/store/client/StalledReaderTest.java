package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.segment.StoreSegment;
import dev.floe.store.segment.TokenRange;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A reader that stands still on bytes whose object was removed: whoever gets them next waits for a
/// chunk's time and no longer.
@Timeout(60)
class StalledReaderTest {
  private static final int SIZE = TestStores.CHUNK;

  private final TestStores stores =
      new TestStores(new InMemoryTransport(Ticker.system()), 2, 256L * TestStores.CHUNK);
  private final AtomicLong nanos = new AtomicLong();
  private final TestClient client =
      new TestClient(stores.metadata, stores.transport, nanos::get, TestStores.OPTIONS);
  private final byte[] value = TestStores.value(SIZE, 2);
  private final AtomicInteger asked = new AtomicInteger();
  private StoreSegment.ReadableBytes stalled;

  @BeforeEach
  void standStillOnARemovedObjectOfTheFirstStore() {
    Endpoint first = stores.endpoints.getFirst();
    stores.client.put("old", TestStores.value(SIZE, 1));
    ReplicaTarget replica = stores.client.stat("old").orElseThrow().replicas().getFirst();
    assertThat(replica.endpoint()).isEqualTo(first);
    MemoryRange range = (MemoryRange) replica.replica().location();
    TokenRange tokens =
        new TokenRange(range.offsetBytes(), range.lengthBytes(), replica.replica().id(), SIZE);
    stalled = stores.segments.getFirst().beginRead(tokens, 0, SIZE);
    stores.client.remove("old", true);
    // A tenth of a chunk's time goes by with each answer.
    stores.transport.afterwards =
        (to, call) -> {
          if (call.type() == FrameType.DATA_WRITE && to.equals(first)) {
            asked.incrementAndGet();
            nanos.addAndGet(TestStores.OPTIONS.times().chunk().toNanos() / 10);
          }
        };
  }

  @AfterEach
  void nothingIsLeftBehind() {
    stalled.close();
    client.close();
    stores.close();
    stores.assertNothingIsHeld();
  }

  private List<Endpoint> holders() {
    return stores.client.stat("k").orElseThrow().replicas().stream()
        .map(ReplicaTarget::endpoint)
        .toList();
  }

  @Test
  void theValueGoesToAnotherStoreAfterAChunksTime() {
    client.objects().put("k", ValueSource.of(value), PutOptions.replicas(1));
    assertThat(asked).hasValueBetween(10, 12);
    assertThat(holders()).containsExactly(stores.endpoints.get(1));
    assertThat(client.objects().get("k")).isEqualTo(value);
  }

  @Test
  void aReaderThatGoesOnBeforeCostsNothing() {
    var tick = stores.transport.afterwards;
    stores.transport.afterwards =
        (to, call) -> {
          tick.accept(to, call);
          if (asked.get() == 5) {
            stalled.close();
          }
        };
    client.objects().put("k", ValueSource.of(value), PutOptions.replicas(1));
    assertThat(asked).hasValue(6);
    assertThat(holders()).containsExactly(stores.endpoints.getFirst());
    assertThat(client.objects().stats().snapshot().trouble().lostReplicas()).isZero();
  }
}
