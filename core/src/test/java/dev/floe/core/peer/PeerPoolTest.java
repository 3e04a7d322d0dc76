package dev.floe.core.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.RequestHandler;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.InMemoryTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PeerPoolTest {
  private static final int WAIT = 0x7001;
  private static final int REFUSE = 0x7002;
  private static final Endpoint PEER = new Endpoint("peer", 1);
  private static final Transport.Identity SELF = new Transport.Identity("blue", "client");

  private final FakeTicker ticker = new FakeTicker();
  private final FakeTicker callers = new FakeTicker();
  private final InMemoryTransport transport = new InMemoryTransport(Ticker.system());
  private final Semaphore turns = new Semaphore(0);
  private final PeerPool pool = new PeerPool(transport, SELF, options(3));

  private PeerPool.Options options(int connectionsMax) {
    return new PeerPool.Options(
        ticker,
        connectionsMax,
        Duration.ofSeconds(5),
        new CircuitBreaker.Settings(2, Duration.ofSeconds(1), Duration.ofSeconds(8)));
  }

  @AfterEach
  void close() {
    turns.release(1000);
    pool.close();
  }

  private Transport.Listener serve() {
    HandlerTable handlers =
        HandlerTable.builder().add(WAIT, new Waiting()).add(REFUSE, new Refusing()).build();
    return transport.listen(PEER, new Transport.Identity("blue", "store/s1"), handlers);
  }

  private final class Waiting implements RequestHandler {
    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      turns.acquireUninterruptibly();
      return Response.of(head.header());
    }
  }

  private static final class Refusing implements RequestHandler {
    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      throw new FloeException(ErrorCode.DEADLINE_EXCEEDED, "a node behind this one was too slow");
    }
  }

  private static Connection.Call call(int type) {
    return call(type, 30_000);
  }

  private static Connection.Call call(int type, int millis) {
    return Connection.Call.of(
        type, ByteString.EMPTY, Deadline.after(Ticker.system(), Duration.ofMillis(millis)));
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  @Test
  void reusesAnIdleConnection() {
    try (Transport.Listener _ = serve()) {
      for (int i = 0; i < 10; i++) {
        pool.call(PEER, call(FrameType.PING));
      }
      assertThat(pool.connectionCount(PEER)).isEqualTo(1);
    }
  }

  @Test
  void opensMoreConnectionsUpToItsBoundWhileAllAreBusy() {
    try (Transport.Listener _ = serve()) {
      List<Connection.PendingReply> replies = new ArrayList<>();
      while (pool.connectionCount(PEER) < 3) {
        replies.add(pool.send(PEER, call(WAIT)));
        LockSupport.parkNanos(1_000_000);
      }
      for (int i = 0; i < 20; i++) {
        replies.add(pool.send(PEER, call(WAIT)));
      }
      turns.release(replies.size());
      replies.forEach(Connection.PendingReply::await);
      pool.call(PEER, call(FrameType.PING));
      assertThat(pool.connectionCount(PEER)).isEqualTo(3);
    }
  }

  @Test
  void connectsAgainWhenThePeerIsBack() {
    Transport.Listener first = serve();
    pool.call(PEER, call(FrameType.PING));
    first.close();
    while (pool.connectionCount(PEER) > 0) {
      Thread.onSpinWait();
    }
    try (Transport.Listener _ = serve()) {
      pool.call(PEER, call(FrameType.PING));
    }
  }

  @Test
  void leavesADeadPeerAloneAndNamesWhenItIsTriedAgain() {
    assertFails(ErrorCode.UNAVAILABLE, () -> pool.call(PEER, call(FrameType.PING)));
    assertFails(ErrorCode.UNAVAILABLE, () -> pool.call(PEER, call(FrameType.PING)));
    assertThatThrownBy(() -> pool.call(PEER, call(FrameType.PING)))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CIRCUIT_OPEN);
              assertThat(e.getMessage()).contains("peer:1").contains("1000 ms");
              assertThat(e.context())
                  .containsEntry("endpoint", "peer:1")
                  .containsEntry("retryAfterMillis", "1000");
            });
    try (Transport.Listener _ = serve()) {
      assertFails(ErrorCode.CIRCUIT_OPEN, () -> pool.call(PEER, call(FrameType.PING)));
      ticker.advance(Duration.ofSeconds(1));
      pool.call(PEER, call(FrameType.PING));
      pool.call(PEER, call(FrameType.PING));
    }
  }

  @Test
  void leavesASilentPeerAlone() {
    try (Transport.Listener _ = serve()) {
      for (int i = 0; i < 2; i++) {
        Connection.PendingReply reply = pool.send(PEER, impatientCall());
        callers.advance(Duration.ofSeconds(10));
        ticker.advance(Duration.ofMillis(Limits.PEER_SILENCE_MILLIS_MIN));
        assertFails(ErrorCode.DEADLINE_EXCEEDED, reply::await);
      }
      assertFails(ErrorCode.CIRCUIT_OPEN, () -> pool.call(PEER, call(FrameType.PING)));
      turns.release(2);
    }
  }

  /// A call that is answered by nobody and given up when `callers` has moved by 10 s.
  private Connection.Call impatientCall() {
    return Connection.Call.of(
        WAIT, ByteString.EMPTY, Deadline.after(callers, Duration.ofSeconds(10)));
  }

  @Test
  void neverCountsTheSilenceThatAHastyCallerMet() {
    try (Transport.Listener _ = serve()) {
      for (int i = 0; i < 10; i++) {
        Connection.PendingReply reply = pool.send(PEER, impatientCall());
        callers.advance(Duration.ofSeconds(10));
        assertFails(ErrorCode.DEADLINE_EXCEEDED, reply::await);
      }
      turns.release(10);
      pool.call(PEER, call(FrameType.PING));
    }
  }

  @Test
  void neverCountsACallThatWasNotSentForLackOfTime() {
    AtomicBoolean isLate = new AtomicBoolean(true);
    try (Transport.Listener _ = serve();
        PeerPool late = poolOver(new Wrapped(inner -> new Late(inner, isLate, true)))) {
      for (int i = 0; i < 10; i++) {
        assertFails(ErrorCode.DEADLINE_EXCEEDED, () -> late.call(PEER, call(FrameType.PING)));
      }
      isLate.set(false);
      late.call(PEER, call(FrameType.PING));
    }
  }

  @Test
  void countsAPeerThatDoesNotTakeWhatIsSent() {
    try (Transport.Listener _ = serve();
        PeerPool late =
            poolOver(new Wrapped(inner -> new Late(inner, new AtomicBoolean(true), false)))) {
      for (int i = 0; i < 2; i++) {
        assertFails(ErrorCode.DEADLINE_EXCEEDED, () -> late.call(PEER, call(FrameType.PING)));
      }
      assertFails(ErrorCode.CIRCUIT_OPEN, () -> late.call(PEER, call(FrameType.PING)));
    }
  }

  @Test
  void doesNotWaitForOneMoreConnectionWhileOneWorks() {
    CountDownLatch opening = new CountDownLatch(1);
    AtomicInteger connections = new AtomicInteger();
    Wrapped slow =
        new Wrapped(
            inner -> {
              if (connections.incrementAndGet() > 1) {
                awaitQuietly(opening);
              }
              return inner;
            });
    try (Transport.Listener _ = serve();
        PeerPool wide = poolOver(slow)) {
      Connection.PendingReply busy = wide.send(PEER, call(WAIT));
      wide.call(PEER, call(FrameType.PING));
      wide.call(PEER, call(FrameType.PING));
      while (connections.get() < 2) {
        Thread.onSpinWait();
      }
      assertThat(wide.connectionCount(PEER)).isEqualTo(1);
      opening.countDown();
      while (wide.connectionCount(PEER) < 2) {
        Thread.onSpinWait();
      }
      turns.release(1);
      busy.await();
    } finally {
      opening.countDown();
    }
  }

  private PeerPool poolOver(Transport other) {
    return new PeerPool(other, SELF, options(3));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The network of this test with its connections changed.
  private final class Wrapped implements Transport {
    private final UnaryOperator<Connection> change;

    Wrapped(UnaryOperator<Connection> change) {
      this.change = change;
    }

    @Override
    public Listener listen(Endpoint address, Identity self, HandlerTable handlers) {
      return transport.listen(address, self, handlers);
    }

    @Override
    public Connection connect(Endpoint to, Identity self, Deadline deadline) {
      return change.apply(transport.connect(to, self, deadline));
    }
  }

  /// A connection on which there is never enough time to send.
  private record Late(Connection inner, AtomicBoolean isLate, boolean staysOpen)
      implements Connection {
    @Override
    public PendingReply send(Call call) {
      if (!isLate.get()) {
        return inner.send(call);
      }
      if (!staysOpen) {
        inner.close();
      }
      throw new FloeException(ErrorCode.DEADLINE_EXCEEDED, "injected");
    }

    @Override
    public Transport.Identity peer() {
      return inner.peer();
    }

    @Override
    public boolean isOpen() {
      return inner.isOpen();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @Test
  void neverCountsAnErrorThatThePeerAnswersWith() {
    try (Transport.Listener _ = serve()) {
      for (int i = 0; i < 10; i++) {
        assertFails(ErrorCode.DEADLINE_EXCEEDED, () -> pool.call(PEER, call(REFUSE)));
        assertFails(ErrorCode.UNSUPPORTED, () -> pool.call(PEER, call(0x7777)));
      }
      pool.call(PEER, call(FrameType.PING));
    }
  }

  @Test
  void neverCountsACallThatHadNoTimeLeft() {
    for (int i = 0; i < 10; i++) {
      assertFails(ErrorCode.DEADLINE_EXCEEDED, () -> pool.call(PEER, call(FrameType.PING, 0)));
    }
    try (Transport.Listener _ = serve()) {
      pool.call(PEER, call(FrameType.PING));
    }
  }

  @Test
  void countsOneLostConnectionOnceHoweverManyCallsItCarried() {
    Transport.Listener first = serve();
    try (PeerPool narrow = new PeerPool(transport, SELF, options(1))) {
      List<Connection.PendingReply> replies = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        replies.add(narrow.send(PEER, call(WAIT)));
      }
      Thread closer = Thread.ofVirtual().start(first::close);
      for (Connection.PendingReply reply : replies) {
        assertFails(ErrorCode.CONNECTION_LOST, reply::await);
      }
      turns.release(100);
      joinQuietly(closer);
      try (Transport.Listener _ = serve()) {
        narrow.call(PEER, call(FrameType.PING));
      }
    }
  }

  private static void joinQuietly(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void doesNotMixUpPeers() {
    Endpoint other = new Endpoint("peer", 2);
    assertFails(ErrorCode.UNAVAILABLE, () -> pool.call(other, call(FrameType.PING)));
    assertFails(ErrorCode.UNAVAILABLE, () -> pool.call(other, call(FrameType.PING)));
    assertFails(ErrorCode.CIRCUIT_OPEN, () -> pool.call(other, call(FrameType.PING)));
    try (Transport.Listener _ = serve()) {
      pool.call(PEER, call(FrameType.PING));
    }
  }

  @Test
  void failsWhatIsUnansweredWhenItCloses() {
    try (Transport.Listener _ = serve()) {
      Connection.PendingReply pending = pool.send(PEER, call(WAIT));
      pool.close();
      assertFails(ErrorCode.CONNECTION_LOST, pending::await);
      assertFails(ErrorCode.UNAVAILABLE, () -> pool.call(PEER, call(FrameType.PING)));
      assertFails(
          ErrorCode.UNAVAILABLE, () -> pool.call(new Endpoint("another", 1), call(FrameType.PING)));
      turns.release(1);
    }
  }
}
