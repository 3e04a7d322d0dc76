package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// What every transport does when time is up or a thread is interrupted.
abstract class TransportTimeContract extends TransportErrorsContract {
  @Test
  void givesUpAtTheDeadlineAndLeavesTheConnectionInOrder() {
    Connection.PendingReply late =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("late"), untilCalledLate()));
    callLate();
    assertFails(ErrorCode.DEADLINE_EXCEEDED, late::await);
    handlers.releaseAll();
    assertStillServes();
    assertThat(connection.isOpen()).isTrue();
  }

  @Test
  void answersARequestWhoseTimeIsUpWithoutHandlingIt() {
    FakeTicker ticker = new FakeTicker();
    handlers.whenTargetIsNamed(() -> ticker.advance(Duration.ofSeconds(11)));
    Transport slow = transport(WireOptions.standard(ticker));
    try (Transport.Listener server = slow.listen(anyAddress(), SERVER, handlers.table());
        Connection client = slow.connect(server.endpoint(), CLIENT, soon())) {
      assertThatThrownBy(() -> client.call(blockingWrite(10, inMillis(10_000))))
          .isInstanceOfSatisfying(
              FloeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
                assertThat(e.getMessage()).contains("not executed");
              });
    }
    assertThat(handlers.blockedMax()).isZero();
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(1);
  }

  @Test
  void tellsAnAnswerFromSilence() {
    Connection.PendingReply refused =
        connection.send(Connection.Call.of(TestHandlers.REFUSE, text("full"), soon()));
    assertFails(ErrorCode.NO_SPACE, refused::await);
    assertThat(refused.isAnswered()).isTrue();
    Connection.PendingReply silent =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), untilCalledLate()));
    callLate();
    assertFails(ErrorCode.DEADLINE_EXCEEDED, silent::await);
    assertThat(silent.isAnswered()).isFalse();
  }

  @Test
  void passesTheRemainingTimeToTheHandler() {
    Connection.Reply reply =
        connection.call(Connection.Call.of(TestHandlers.TIME_LEFT, ByteString.EMPTY, soon()));
    assertThat(Long.parseLong(reply.header().toStringUtf8())).isBetween(1L, 30_001L);
  }

  @Test
  void sendsNothingWhenTheDeadlineHasPassed() {
    assertFails(
        ErrorCode.DEADLINE_EXCEEDED,
        () -> connection.send(Connection.Call.of(TestHandlers.COUNT, text("x"), inMillis(-1))));
    assertThat(
            connection
                .call(Connection.Call.of(TestHandlers.COUNT, ByteString.EMPTY, soon()))
                .header())
        .isEqualTo(text("0"));
  }

  @Test
  void reportsAnInterruptedCallerAsCancelledAndServesTheOthers() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    List<Throwable> thrown = new ArrayList<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Connection.PendingReply reply =
                        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
                    sent.countDown();
                    reply.await();
                  } catch (FloeException e) {
                    thrown.add(e);
                    thrown.add(
                        new IllegalStateException("" + Thread.currentThread().isInterrupted()));
                  }
                });
    sent.await();
    caller.interrupt();
    caller.join();
    assertThat(((FloeException) thrown.get(0)).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(thrown.get(1)).hasMessage("true");
    assertStillServes();
  }

  @Test
  void sendsNothingForAThreadThatIsInterruptedAlready() {
    Thread.currentThread().interrupt();
    assertFails(
        ErrorCode.CANCELLED,
        () -> connection.send(Connection.Call.of(FrameType.PING, text("x"), soon())));
    assertThat(Thread.interrupted()).isTrue();
    assertStillServes();
  }
}
