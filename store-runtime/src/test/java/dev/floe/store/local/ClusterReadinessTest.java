package dev.floe.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.store.client.FakeMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterReadinessTest {
  private final AtomicInteger asked = new AtomicInteger();

  /// A cluster whose stores have joined from the given question on.
  private LocalCluster joiningAt(int question, Runnable whenAsked) {
    return new LocalCluster() {
      @Override
      public void start() {}

      @Override
      public List<Endpoint> masters() {
        return List.of();
      }

      @Override
      public List<Node> nodes() {
        return List.of();
      }

      @Override
      public Map<String, String> ended() {
        return Map.of();
      }

      @Override
      public boolean hasJoined(ClusterView view) {
        whenAsked.run();
        return asked.incrementAndGet() >= question;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void isNotReadyBeforeTheStoresOfThisRunHaveJoined() throws Exception {
    ClusterReadiness.await(
        new FakeMetadata(),
        joiningAt(3, () -> {}),
        0,
        Deadline.after(Ticker.system(), Duration.ofSeconds(30)));
    assertThat(asked).hasValue(3);
  }

  @Test
  void saysThatOnlyStoresOfAnEarlierRunAreKnown() {
    AtomicLong nanos = new AtomicLong();
    Ticker ticker = nanos::get;
    Deadline deadline = Deadline.after(ticker, Duration.ofSeconds(30));
    LocalCluster never =
        joiningAt(Integer.MAX_VALUE, () -> nanos.addAndGet(Duration.ofSeconds(31).toNanos()));
    assertThatThrownBy(() -> ClusterReadiness.await(new FakeMetadata(), never, 0, deadline))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining("of an earlier run");
  }
}
