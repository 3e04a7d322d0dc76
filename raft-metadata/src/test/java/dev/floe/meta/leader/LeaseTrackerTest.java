package dev.floe.meta.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaseTrackerTest {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration PASS = Duration.ofSeconds(1);
  private final FakeTicker ticker = new FakeTicker();
  private final LeaseTracker<String> leases =
      new LeaseTracker<>("tests", ticker, new LeaseTracker.Settings(TTL, PASS, 3));

  private void pass(List<String> present, int seconds) {
    for (int i = 0; i < seconds; i++) {
      ticker.advance(PASS);
      leases.observe(present);
    }
  }

  @Test
  void leaseThatIsNotRenewedIsOverdueAfterItsTimeAndNotBefore() {
    List<String> present = List.of("a", "b");
    leases.observe(present);
    pass(present, 9);
    assertThat(leases.overdue(present, Duration.ZERO)).isEmpty();
    leases.renew("b");
    pass(present, 1);
    assertThat(leases.overdue(present, Duration.ZERO)).containsExactly("a");
    assertThat(leases.isCurrent("a")).isFalse();
    assertThat(leases.isCurrent("b")).isTrue();
  }

  @Test
  void graceComesOnTopOfTheLease() {
    List<String> present = List.of("a");
    leases.observe(present);
    pass(present, 29);
    assertThat(leases.overdue(present, Duration.ofSeconds(20))).isEmpty();
    pass(present, 1);
    assertThat(leases.overdue(present, Duration.ofSeconds(20))).containsExactly("a");
  }

  @Test
  void renewalEndsBeingOverdue() {
    List<String> present = List.of("a");
    leases.observe(present);
    pass(present, 12);
    assertThat(leases.overdue(present, Duration.ZERO)).containsExactly("a");
    assertThat(leases.renew("a")).isEqualTo(TTL.toMillis());
    assertThat(leases.overdue(present, Duration.ZERO)).isEmpty();
    assertThat(leases.isCurrent("a")).isTrue();
  }

  @Test
  void leadersOwnStallOfThreeLeaseTimesExpiresNobody() {
    List<String> present = List.of("a", "b");
    leases.observe(present);
    pass(present, 5);
    ticker.advance(TTL.multipliedBy(3));
    leases.observe(present);
    assertThat(leases.overdue(present, Duration.ZERO)).isEmpty();
    pass(present, 3);
    assertThat(leases.overdue(present, Duration.ZERO)).isEmpty();
    pass(present, 3);
    assertThat(leases.overdue(present, Duration.ZERO))
        .as("after the stall the leases run on where they were")
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void passThatIsALittleLateIsNoStall() {
    List<String> present = List.of("a");
    leases.observe(present);
    for (int i = 0; i < 7; i++) {
      ticker.advance(Duration.ofMillis(1500));
      leases.observe(present);
    }
    assertThat(leases.overdue(present, Duration.ZERO)).containsExactly("a");
  }

  @Test
  void newLeadershipGivesEveryLeaseItsFullTime() {
    List<String> present = List.of("a");
    leases.observe(present);
    pass(present, 9);
    LeaseTracker<String> next =
        new LeaseTracker<>("tests", ticker, new LeaseTracker.Settings(TTL, PASS, 3));
    next.observe(present);
    ticker.advance(PASS);
    next.observe(present);
    assertThat(leases.overdue(present, Duration.ZERO)).containsExactly("a");
    assertThat(next.overdue(present, Duration.ZERO)).isEmpty();
  }

  @Test
  void massExpiryIsHeldBackOnceAndThenHappens() {
    List<String> present = names(5);
    leases.observe(present);
    pass(present, 8);
    leases.renew("n4");
    pass(present, 2);
    assertThat(leases.overdue(present, Duration.ZERO)).hasSize(4);
    assertThat(leases.expirable(present, Duration.ZERO)).isEmpty();
    for (int i = 0; i < 9; i++) {
      leases.renew("n4");
      pass(present, 1);
      assertThat(leases.expirable(present, Duration.ZERO)).isEmpty();
    }
    pass(present, 1);
    assertThat(leases.expirable(present, Duration.ZERO)).containsExactly("n0", "n1", "n2", "n3");
  }

  @Test
  void holderThatComesBackWhileHeldBackKeepsItsLease() {
    List<String> present = names(4);
    leases.observe(present);
    pass(present, 10);
    assertThat(leases.expirable(present, Duration.ZERO)).isEmpty();
    leases.renew("n2");
    pass(present, 9);
    leases.renew("n2");
    pass(present, 1);
    assertThat(leases.expirable(present, Duration.ZERO)).containsExactly("n0", "n1", "n3");
  }

  @Test
  void fewExpiriesAmongManyAreNotHeldBack() {
    List<String> present = names(10);
    leases.observe(present);
    pass(present, 9);
    names(10).stream().skip(5).forEach(leases::renew);
    pass(present, 1);
    assertThat(leases.expirable(present, Duration.ZERO)).hasSize(5);
  }

  @Test
  void twoOfTwoAreNoMassExpiry() {
    List<String> present = names(2);
    leases.observe(present);
    pass(present, 10);
    assertThat(leases.expirable(present, Duration.ZERO)).hasSize(2);
  }

  @Test
  void leaseThatLeftTheStateIsForgotten() {
    leases.observe(List.of("a", "b"));
    leases.observe(List.of("b"));
    assertThat(leases.size()).isEqualTo(1);
    assertThat(leases.isCurrent("a")).isFalse();
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
  }
}
