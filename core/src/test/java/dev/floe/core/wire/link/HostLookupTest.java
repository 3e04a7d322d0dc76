package dev.floe.core.wire.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HostLookupTest {
  private static final InetAddress FOUND = InetAddress.ofLiteral("192.0.2.7");

  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final HostLookup slow = new HostLookup(this::find);

  private InetAddress find(String host) throws UnknownHostException {
    asked.incrementAndGet();
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (host.equals("unknown")) {
      throw new UnknownHostException(host);
    }
    return FOUND;
  }

  @AfterEach
  void release() {
    answer.countDown();
  }

  private static Deadline in(Duration time) {
    return Deadline.after(Ticker.system(), time);
  }

  private static void assertFails(
      ErrorCode code, String message, HostLookup lookup, Endpoint to, Deadline deadline) {
    assertThatThrownBy(() -> lookup.find(to, deadline))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
        .hasMessageContaining(to.toString())
        .hasMessageContaining(message);
  }

  @Test
  void givesUpAtTheDeadlineWhileTheNameServerIsSilent() {
    Endpoint to = new Endpoint("silent", 7401);
    assertFails(ErrorCode.UNAVAILABLE, "within the deadline", slow, to, in(Duration.ofMillis(10)));
    answer.countDown();
    assertThat(slow.find(to, in(Duration.ofSeconds(30)))).isEqualTo(FOUND);
  }

  @Test
  void asksOnceForAllWhoWaitForTheSameHost() {
    Endpoint to = new Endpoint("silent", 7401);
    for (int i = 0; i < 5; i++) {
      assertFails(
          ErrorCode.UNAVAILABLE, "within the deadline", slow, to, in(Duration.ofMillis(10)));
    }
    answer.countDown();
    slow.find(to, in(Duration.ofSeconds(30)));
    assertThat(asked).hasValueLessThan(3);
  }

  @Test
  void needsNoLookUpForALiteralAddress() {
    for (String literal : new String[] {"127.0.0.1", "::1"}) {
      assertThat(slow.find(new Endpoint(literal, 1), in(Duration.ZERO)))
          .isEqualTo(InetAddress.ofLiteral(literal));
    }
    assertThat(asked).hasValue(0);
  }

  @Test
  void namesAHostThatIsUnknown() {
    answer.countDown();
    assertFails(
        ErrorCode.UNAVAILABLE,
        "cannot be resolved",
        slow,
        new Endpoint("unknown", 7401),
        in(Duration.ofSeconds(30)));
  }

  @Test
  void takesNoMoreThreadsThanItsBound() {
    for (int i = 0; i < Limits.HOST_LOOKUPS_MAX; i++) {
      assertFails(
          ErrorCode.UNAVAILABLE,
          "within the deadline",
          slow,
          new Endpoint("host-" + i, 1),
          in(Duration.ZERO));
    }
    assertFails(
        ErrorCode.OVERLOADED,
        "" + Limits.HOST_LOOKUPS_MAX,
        slow,
        new Endpoint("one-more", 1),
        in(Duration.ofSeconds(30)));
  }

  @Test
  void endsWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    assertFails(
        ErrorCode.CANCELLED,
        "interrupted",
        slow,
        new Endpoint("silent", 1),
        in(Duration.ofSeconds(30)));
    assertThat(Thread.interrupted()).isTrue();
  }
}
