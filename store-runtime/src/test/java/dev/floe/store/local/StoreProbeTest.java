package dev.floe.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.meta.model.SegmentId;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.MemorySource;
import dev.floe.store.segment.SegmentMemory;
import dev.floe.store.segment.StoreSegment;
import dev.floe.store.wire.DataService;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreProbeTest {
  private static final SegmentId OLD = new SegmentId(3);
  private static final SegmentId NEW = new SegmentId(4);

  private final InMemoryTransport transport = new InMemoryTransport(Ticker.system());
  private final StoreProbe probe =
      new StoreProbe(transport, new Transport.Identity("local", "client/up"), Ticker.system());

  @Test
  void aStoreHasJoinedWhenItServesWhatTheMastersKnowOfIt() {
    MemorySegmentStore segments = new MemorySegmentStore();
    try (Transport.Listener listener =
            transport.listen(
                new Endpoint("127.0.0.1", 0),
                new Transport.Identity("local", "store/s1"),
                new DataService(segments).handlers());
        StoreSegment memory =
            new StoreSegment(SegmentMemory.allocate(4096, MemorySource.ofProcess()))) {
      Endpoint endpoint = listener.endpoint();
      // The masters still have the segment of the process before.
      assertThat(probe.serves(endpoint, Set.of(OLD))).isFalse();
      segments.publish(NEW, memory);
      assertThat(probe.serves(endpoint, Set.of(OLD))).isFalse();
      assertThat(probe.serves(endpoint, Set.of(OLD, NEW))).isFalse();
      assertThat(probe.serves(endpoint, Set.of())).isFalse();
      assertThat(probe.serves(endpoint, Set.of(NEW))).isTrue();
    }
  }

  @Test
  void aStoreThatDoesNotListenHasNotJoined() {
    assertThat(probe.serves(new Endpoint("127.0.0.1", 1), Set.of(OLD))).isFalse();
  }
}
