package dev.floe.core.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.peer.CircuitBreaker.Decision;
import dev.floe.core.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CircuitBreakerTest {
  private final FakeTicker ticker = new FakeTicker();
  private final CircuitBreaker breaker =
      new CircuitBreaker(
          ticker, new CircuitBreaker.Settings(3, Duration.ofMillis(100), Duration.ofMillis(350)));

  private Decision.Allowed allowed() {
    Decision decision = breaker.ask();
    assertThat(decision).isInstanceOf(Decision.Allowed.class);
    return (Decision.Allowed) decision;
  }

  private void assertRefusedFor(int millis) {
    assertThat(breaker.ask())
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            r -> assertThat(r.retryAfter()).isEqualTo(Duration.ofMillis(millis)));
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker.failed(allowed());
    }
  }

  private void advance(int millis) {
    ticker.advance(Duration.ofMillis(millis));
  }

  @Test
  void staysClosedBelowTheNumberOfFailures() {
    fail(2);
    breaker.succeeded();
    fail(2);
    allowed();
  }

  @Test
  void refusesCallsForThePauseAfterEnoughFailuresInARow() {
    fail(3);
    assertRefusedFor(100);
    advance(99);
    assertRefusedFor(1);
    advance(1);
    allowed();
  }

  @Test
  void letsOneProbePassAtATime() {
    fail(3);
    advance(100);
    allowed();
    assertRefusedFor(350);
  }

  @Test
  void closesWhenTheProbeSucceedsAndForgetsTheLongPause() {
    fail(3);
    advance(100);
    breaker.failed(allowed());
    advance(200);
    allowed();
    breaker.succeeded();
    fail(2);
    allowed();
    breaker.failed(allowed());
    assertRefusedFor(100);
  }

  @Test
  void doublesThePauseWithEveryFailedProbeUpToItsBound() {
    fail(3);
    for (int pause : new int[] {100, 200, 350, 350}) {
      assertRefusedFor(pause);
      advance(pause);
      breaker.failed(allowed());
    }
  }

  @Test
  void ignoresLateFailuresOfCallsThatBeganBeforeItOpened() {
    Decision.Allowed old = allowed();
    fail(3);
    breaker.failed(old);
    assertRefusedFor(100);
    advance(100);
    allowed();
    breaker.failed(old);
    advance(350);
    allowed();
  }

  @Test
  void closesOnALateSuccessBecauseThePeerIsAlive() {
    fail(3);
    breaker.succeeded();
    allowed();
    allowed();
  }

  @Test
  void letsTheNextCallProbeWhenTheProbeWasAbandoned() {
    fail(3);
    advance(100);
    breaker.abandoned(allowed());
    Decision.Allowed probe = allowed();
    breaker.failed(probe);
    assertRefusedFor(200);
  }

  @Test
  void letsAnotherCallProbeWhenAProbeNeverEnds() {
    fail(3);
    advance(100);
    Decision.Allowed lost = allowed();
    advance(350);
    allowed();
    breaker.failed(lost);
    assertRefusedFor(350);
  }

  @Test
  void countsNothingForAnAbandonedCallWhileClosed() {
    for (int i = 0; i < 10; i++) {
      breaker.abandoned(allowed());
    }
    allowed();
  }
}
