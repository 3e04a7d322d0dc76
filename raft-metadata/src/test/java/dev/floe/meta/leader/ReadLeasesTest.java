package dev.floe.meta.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Retention;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.model.WriteState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadLeasesTest {
  private static final Duration TTL = Duration.ofSeconds(5);
  private final FakeTicker ticker = new FakeTicker();
  private final ReadLeases leases = new ReadLeases(ticker, TTL, 100);

  private static ObjectRoute route(String key, long index) {
    return new ObjectRoute(
        ObjectId.of(key),
        RouteState.ACTIVE,
        new ObjectVersion(
            new ObjectVersion.Content(1, 0, DataType.UNKNOWN),
            Retention.NONE,
            new WriteState(
                new RouteVersion(index, 0),
                new SessionId(1, 1),
                0,
                0,
                1,
                SoftPin.Preserve.INSTANCE),
            List.of()));
  }

  @Test
  void objectMadeUnderThisLeaderIsRemovableUntilItIsRead() {
    ObjectId id = ObjectId.of("k");
    assertThat(leases.remainingMillis(id, route("k", 101))).isZero();
    assertThat(leases.grant(id)).isEqualTo(5000);
    ticker.advance(Duration.ofSeconds(4));
    assertThat(leases.remainingMillis(id, route("k", 101))).isEqualTo(1000);
    ticker.advance(Duration.ofSeconds(1));
    assertThat(leases.remainingMillis(id, route("k", 101))).isZero();
  }

  @Test
  void renewingExtendsTheLease() {
    ObjectId id = ObjectId.of("k");
    leases.grant(id);
    ticker.advance(Duration.ofSeconds(4));
    leases.grant(id);
    ticker.advance(Duration.ofSeconds(4));
    assertThat(leases.remainingMillis(id, route("k", 101))).isEqualTo(1000);
  }

  @Test
  void objectOlderThanTheLeadershipIsProtectedForOneLeaseTime() {
    ObjectId id = ObjectId.of("old");
    assertThat(leases.remainingMillis(id, route("old", 100))).isEqualTo(5000);
    ticker.advance(Duration.ofMillis(4999));
    assertThat(leases.remainingMillis(id, route("old", 100))).isEqualTo(1);
    ticker.advance(Duration.ofMillis(1));
    assertThat(leases.remainingMillis(id, route("old", 100))).isZero();
  }

  @Test
  void objectThatDoesNotExistHasNoLease() {
    leases.grant(ObjectId.of("gone"));
    assertThat(leases.remainingMillis(ObjectId.of("gone"), null)).isZero();
  }

  @Test
  void leasesAreBoundedAndExpiredOnesMakeRoom() {
    ReadLeases few = new ReadLeases(ticker, TTL, 100, 6400);
    int granted = 0;
    for (int i = 0; i < 8000; i++) {
      granted += few.grant(ObjectId.of("k" + i)) > 0 ? 1 : 0;
    }
    assertThat(granted).isBetween(3200, 6400);
    assertThat(few.grant(ObjectId.of("k0"))).as("a renewal needs no room").isEqualTo(5000);
    ticker.advance(TTL);
    for (int i = 0; i < 1000; i++) {
      assertThat(few.grant(ObjectId.of("later" + i))).isEqualTo(5000);
    }
  }
}
