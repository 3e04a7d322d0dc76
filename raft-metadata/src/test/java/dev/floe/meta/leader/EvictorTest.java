package dev.floe.meta.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.FloeException;
import dev.floe.meta.command.MetadataCommand.Evict;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.PutEnd;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.Victim;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.StateDriver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// One store of a hundred objects; eviction begins above 90 of them and ends at 80.
class EvictorTest {
  private static final long SIZE = 1 << 20;

  private final FakeTicker ticker = new FakeTicker();
  private final StateDriver driver = new StateDriver();
  private final SessionId session = driver.openSession(1);
  private final ReadLeases leases = new ReadLeases(ticker, Duration.ofSeconds(5), driver.index());
  private final Evictor evictor = new Evictor(leases, new EvictionOptions(0.9, 0.1));

  EvictorTest() {
    driver.store("a", 100 * SIZE);
  }

  private void put(String key, String group, boolean isHardPinned, SoftPin softPin) {
    ObjectId id = ObjectId.of(key);
    PutStarted started =
        (PutStarted)
            driver.in(
                session,
                new PutStart(
                    id,
                    SIZE,
                    Placement.replicas(1),
                    new WriteOptions(false, DataType.UNKNOWN, group, isHardPinned, softPin)));
    driver.in(session, new PutEnd(id, StateDriver.tokens(started), 7));
  }

  private void put(int from, int to) {
    for (int i = from; i < to; i++) {
      put("k" + i, "", false, SoftPin.Preserve.INSTANCE);
    }
  }

  /// Lets the state do what is proposed.
  private List<String> evictOnce() {
    List<Evict> evictions = evictor.next(driver.state());
    evictions.forEach(driver::leader);
    return evictions.stream()
        .flatMap(evict -> evict.victims().stream())
        .map(victim -> victim.id().key().value())
        .toList();
  }

  private long objects() {
    return driver.state().totals().objects();
  }

  @Test
  void nothingGoesUpToTheHighWatermark() {
    put(0, 90);
    assertThat(evictOnce()).isEmpty();
    assertThat(evictor.isBusy()).isFalse();
  }

  @Test
  void theOldestWritesGoUntilTheLowMarkIsReached() {
    put(0, 91);
    assertThat(evictOnce())
        .containsExactly("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10");
    assertThat(objects()).isEqualTo(80);
    assertThat(evictOnce()).isEmpty();
  }

  @Test
  void whatWasReadGoesAfterWhatWasNotAndInTheOrderOfReading() {
    put(0, 91);
    for (int i : new int[] {5, 0, 3}) {
      leases.grant(ObjectId.of("k" + i));
      ticker.advance(Duration.ofSeconds(1));
    }
    assertThat(evictOnce()).doesNotContain("k5", "k0", "k3").contains("k1", "k13");
    ticker.advance(Duration.ofSeconds(6));
    put(91, 102);
    assertThat(evictOnce()).hasSize(11).doesNotContain("k5", "k0", "k3");
  }

  @Test
  void whatIsBeingReadStaysWithItsGroup() {
    put("x", "g", false, SoftPin.Preserve.INSTANCE);
    put("y", "g", false, SoftPin.Preserve.INSTANCE);
    put(0, 89);
    leases.grant(ObjectId.of("y"));
    assertThat(evictOnce()).hasSize(11).doesNotContain("x", "y");
    ticker.advance(Duration.ofSeconds(6));
    put(100, 111);
    assertThat(evictOnce()).contains("x", "y");
  }

  @Test
  void aGroupGoesTogether() {
    put("x", "g", false, SoftPin.Preserve.INSTANCE);
    put(0, 89);
    put("y", "g", false, SoftPin.Preserve.INSTANCE);
    assertThat(evictOnce()).hasSize(11).startsWith("x", "y");
    assertThat(objects()).isEqualTo(80);
  }

  @Test
  void softPinnedGoesWhenNothingElseIsLeftAndHardPinnedNever() {
    for (int i = 0; i < 60; i++) {
      put("hard" + i, "", true, SoftPin.Preserve.INSTANCE);
    }
    for (int i = 0; i < 31; i++) {
      put("soft" + i, "", false, new SoftPin.Enable(3_600_000));
    }
    assertThat(evictOnce()).isEmpty();
    assertThat(evictOnce()).hasSize(11).allMatch(key -> key.startsWith("soft"));
    for (int i = 60; i < 71; i++) {
      put("hard" + i, "", true, SoftPin.Preserve.INSTANCE);
    }
    for (int i = 0; i < 5; i++) {
      evictOnce();
    }
    assertThat(driver.state().list(TenantId.DEFAULT, "hard", null, 1000)).hasSize(71);
  }

  @Test
  void aWriteWithoutSpaceMakesRoomBelowTheWatermarkOnce() {
    put(0, 50);
    evictor.wanted();
    assertThat(evictor.isBusy()).isTrue();
    assertThat(evictOnce()).hasSize(10).startsWith("k0");
    assertThat(evictOnce()).isEmpty();
    assertThat(objects()).isEqualTo(40);
  }

  @Test
  void aNewLeaderEvictsNothingOlderThanItselfForOneLeaseTime() {
    put(0, 91);
    ReadLeases unknown = new ReadLeases(ticker, Duration.ofSeconds(5), driver.index());
    Evictor next = new Evictor(unknown, new EvictionOptions(0.9, 0.1));
    assertThat(next.next(driver.state())).isEmpty();
    ticker.advance(Duration.ofSeconds(5));
    assertThat(next.next(driver.state())).isNotEmpty();
  }

  @Test
  void aShareOfNothingTurnsEvictionOff() {
    put(0, 100);
    Evictor off = new Evictor(leases, new EvictionOptions(0.9, 0));
    off.wanted();
    assertThat(off.next(driver.state())).isEmpty();
    assertThat(off.isBusy()).isFalse();
  }

  @Test
  void victimsNameTheVersionThatWasSeen() {
    put(0, 91);
    Victim first = evictor.next(driver.state()).getFirst().victims().getFirst();
    assertThat(first.version()).isEqualTo(driver.route("k0").version());
  }

  @Test
  void impossibleOptionsAreRefused() {
    assertThatThrownBy(() -> new EvictionOptions(1.1, 0.1)).isInstanceOf(FloeException.class);
    assertThatThrownBy(() -> new EvictionOptions(0.5, 0.6))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining("0.6");
    assertThatThrownBy(() -> new EvictionOptions(Double.NaN, 0.1))
        .isInstanceOf(FloeException.class);
  }
}
