package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How connections of every transport begin and end, and how many requests they take.
abstract class TransportLifeContract extends TransportTimeContract {
  @Test
  void failsWhatIsUnansweredWhenTheConnectionIsClosed() {
    Connection.PendingReply waiting =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
    connection.close();
    assertFails(ErrorCode.CONNECTION_LOST, waiting::await);
    assertThat(connection.isOpen()).isFalse();
    assertFails(
        ErrorCode.CONNECTION_LOST,
        () -> connection.send(Connection.Call.of(FrameType.PING, text("x"), soon())));
    connection.close();
  }

  @Test
  void failsWhatIsUnansweredWhenTheServerCloses() throws Exception {
    Connection.PendingReply waiting =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
    handlers.awaitBlocked(1);
    Thread closer = Thread.ofVirtual().start(listener::close);
    assertFails(ErrorCode.CONNECTION_LOST, waiting::await);
    handlers.releaseAll();
    closer.join();
    assertFails(
        ErrorCode.UNAVAILABLE, () -> transport.connect(listener.endpoint(), CLIENT, soon()));
  }

  @Test
  void waitsForRunningHandlersWhenItCloses() throws Exception {
    connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
    handlers.awaitBlocked(1);
    Thread closer = Thread.ofVirtual().start(listener::close);
    assertThat(closer.join(Duration.ofMillis(50))).isFalse();
    handlers.releaseAll();
    closer.join();
    assertThat(handlers.blocked()).isZero();
    listener.close();
  }

  @Test
  void refusesAClientOfAnotherClusterAndTellsItWhy() {
    assertThatThrownBy(
            () ->
                transport.connect(
                    listener.endpoint(), new Transport.Identity("green", "client"), soon()))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.WRONG_CLUSTER);
              assertThat(e.getMessage()).contains("green").contains("blue").contains("master/m1");
            });
    assertStillServes();
  }

  @Test
  void acceptsAClientThatNamesNoCluster() {
    try (Connection anyone =
        transport.connect(listener.endpoint(), new Transport.Identity("", "client"), soon())) {
      assertThat(anyone.peer()).isEqualTo(SERVER);
    }
  }

  @Test
  void namesTheAddressThatIsTaken() {
    assertThatThrownBy(
            () -> transport.listen(listener.endpoint(), SERVER, HandlerTable.builder().build()))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_IN_USE);
              assertThat(e.getMessage()).contains(listener.endpoint().toString());
            });
  }

  @Test
  void handlesNoMoreRequestsOfAConnectionThanItsBound() throws Exception {
    WireOptions.Bounds bounds = new WireOptions.Bounds(4, 10, 3, 100, 1 << 20);
    try (Transport.Listener narrow = listenWith(bounds);
        Connection client = transport.connect(narrow.endpoint(), CLIENT, soon())) {
      List<Connection.PendingReply> replies = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        replies.add(client.send(Connection.Call.of(TestHandlers.BLOCK, text("" + i), soon())));
      }
      handlers.awaitBlocked(3);
      assertThat(handlers.blockedMax()).isEqualTo(3);
      handlers.releaseAll();
      for (int i = 0; i < 10; i++) {
        assertThat(replies.get(i).await().header()).isEqualTo(text("" + i));
      }
      assertThat(handlers.blockedMax()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void refusesRequestsWhileTheServerHoldsTooManyBytes() throws Exception {
    WireOptions.Bounds bounds = new WireOptions.Bounds(4, 10, 100, 100, 10_000);
    try (Transport.Listener narrow = listenWith(bounds);
        Connection first = transport.connect(narrow.endpoint(), CLIENT, soon());
        Connection second = transport.connect(narrow.endpoint(), CLIENT, soon())) {
      Connection.PendingReply holder = first.send(blockingWrite(9_000, soon()));
      handlers.awaitBlocked(1);
      // The caller's clock stands still, so it waits until the server has given up.
      Deadline soonOver = Deadline.after(new FakeTicker(), Duration.ofMillis(80));
      assertThatThrownBy(() -> second.call(blockingWrite(2_000, soonOver)))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageContaining("waited for memory");
      assertThat(handlers.opened()).isEqualTo(1);
      handlers.releaseAll();
      holder.await();
      second.call(blockingWrite(20_000, soon()));
      assertThat(handlers.opened()).isEqualTo(2);
      TestHandlers.awaitThat(() -> handlers.opened() == handlers.closed());
    }
  }

  @Test
  void refusesMoreUnansweredCallsThanItsBound() {
    WireOptions.Bounds bounds = new WireOptions.Bounds(4, 10, 100, 5, 10_000);
    Transport narrow = transport(WireOptions.standard(Ticker.system()).with(bounds));
    try (Transport.Listener server = narrow.listen(anyAddress(), SERVER, handlers.table());
        Connection client = narrow.connect(server.endpoint(), CLIENT, soon())) {
      for (int i = 0; i < 5; i++) {
        client.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
      }
      assertFails(
          ErrorCode.OVERLOADED,
          () -> client.send(Connection.Call.of(FrameType.PING, text("x"), soon())));
      handlers.releaseAll();
    }
  }
}
