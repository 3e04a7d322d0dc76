package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How every transport tells of errors, and what goes on after them.
abstract class TransportErrorsContract extends TransportFixture {
  @Test
  void reportsTheHandlersErrorWithCodeMessageAndContext() {
    assertThatThrownBy(
            () ->
                connection.call(
                    Connection.Call.of(TestHandlers.REFUSE, text("no space left"), soon())))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE);
              assertThat(e.getMessage()).isEqualTo("no space left");
              assertThat(e.context()).isEqualTo(Map.of("leader", "m2:7401"));
            });
    assertStillServes();
  }

  @Test
  void reportsADefectOfAHandlerAsInternal() {
    assertFails(
        ErrorCode.INTERNAL,
        () -> connection.call(Connection.Call.of(TestHandlers.DEFECT, ByteString.EMPTY, soon())));
    assertStillServes();
  }

  @Test
  void refusesAnUnknownTypeAndSkipsItsPayload() {
    assertFails(
        ErrorCode.UNSUPPORTED,
        () ->
            connection.call(
                new Connection.Call(
                    0x7777,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertStillServes();
  }

  @Test
  void skipsAPayloadThatTheHandlerRefuses() {
    assertFails(
        ErrorCode.STALE_TOKEN,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.REFUSE_BODY,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertFails(
        ErrorCode.PROTOCOL_VIOLATION,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.WHO,
                    text("takes no payload"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertStillServes();
  }

  @Test
  void closesATargetWhoseBufferIsTooSmall() {
    assertFails(
        ErrorCode.INTERNAL,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.SMALL_TARGET,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertStillServes();
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(1);
  }

  @Test
  void failsOnlyTheCallWhoseBufferCannotBeChosen() {
    assertFails(
        ErrorCode.PROTOCOL_VIOLATION,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertFails(
        ErrorCode.INTERNAL,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    text("h"),
                    List.of(random(300_000, 1)),
                    (h, n) -> ByteBuffer.allocate(n - 1),
                    soon())));
    assertStillServes();
  }

  @Test
  void refusesFramesAboveTheLimitsBeforeSendingAnything() {
    ByteBuffer large = ByteBuffer.allocateDirect(Limits.FRAME_BODY_BYTES_MAX);
    assertFails(
        ErrorCode.TOO_LARGE,
        () ->
            connection.send(
                new Connection.Call(
                    TestHandlers.SINK,
                    ByteString.EMPTY,
                    List.of(large, random(1, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertFails(
        ErrorCode.TOO_LARGE,
        () ->
            connection.send(
                Connection.Call.of(
                    FrameType.PING,
                    ByteString.copyFrom(new byte[Limits.FRAME_HEADER_BYTES_MAX + 1]),
                    soon())));
    assertStillServes();
  }

  @Test
  void endsTheConnectionWhenTheMemoryOfAPayloadIsFreedInTheMiddleOfAFrame() {
    ByteBuffer freed;
    try (Arena arena = Arena.ofShared()) {
      freed = arena.allocate(1000).asByteBuffer();
    }
    List<ByteBuffer> body = List.of(ByteBuffer.allocateDirect(1000), freed);
    assertFails(
        ErrorCode.CONNECTION_LOST,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    ByteString.EMPTY,
                    body,
                    (h, n) -> ByteBuffer.allocate(n),
                    soon())));
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void turnsAnAnswerThatIsNoFrameIntoAnError() {
    assertFails(
        ErrorCode.INTERNAL,
        () ->
            connection.call(
                Connection.Call.of(TestHandlers.HUGE_ANSWER, ByteString.EMPTY, soon())));
    assertStillServes();
  }
}
