package dev.floe.core.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.InMemoryTransport;
import dev.floe.core.wire.RequestHandler;
import dev.floe.core.wire.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
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
  private final InMemoryTransport transport = new InMemoryTransport(Ticker.system());
  private final Semaphore turns = new Semaphore(0);
  private final PeerPool pool =
      new PeerPool(
          transport,
          SELF,
          new PeerPool.Options(
              ticker,
              3,
              Duration.ofSeconds(5),
              new CircuitBreaker.Settings(2, Duration.ofSeconds(1), Duration.ofSeconds(8))));

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
      for (int i = 0; i < 7; i++) {
        replies.add(pool.send(PEER, call(WAIT)));
        assertThat(pool.connectionCount(PEER)).isEqualTo(Math.min(i + 1, 3));
      }
      turns.release(7);
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
      assertFails(ErrorCode.DEADLINE_EXCEEDED, () -> pool.call(PEER, call(WAIT, 20)));
      assertFails(ErrorCode.DEADLINE_EXCEEDED, () -> pool.call(PEER, call(WAIT, 20)));
      assertFails(ErrorCode.CIRCUIT_OPEN, () -> pool.call(PEER, call(WAIT, 20)));
      turns.release(2);
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
    pool.call(PEER, call(FrameType.PING));
    List<Connection.PendingReply> replies = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      replies.add(pool.send(PEER, call(WAIT)));
    }
    for (int i = 3; i < 20; i++) {
      replies.add(pool.send(PEER, call(WAIT)));
    }
    Thread closer = Thread.ofVirtual().start(first::close);
    for (int i = 0; i < 20; i += 3) {
      // Calls go to the three connections in turn; these are the calls of one of them.
      assertFails(ErrorCode.CONNECTION_LOST, replies.get(i)::await);
    }
    turns.release(100);
    joinQuietly(closer);
    try (Transport.Listener _ = serve()) {
      pool.call(PEER, call(FrameType.PING));
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
