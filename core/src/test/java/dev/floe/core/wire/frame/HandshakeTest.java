package dev.floe.core.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.wire.Transport;
import dev.floe.proto.wire.Hello;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class HandshakeTest {
  private static final Transport.Identity SELF = new Transport.Identity("blue", "master/m1");

  @Test
  void introducesThisNode() {
    assertThat(Handshake.judge(Handshake.hello(SELF), SELF)).isEqualTo(SELF);
  }

  @Test
  void namesBothVersionsWhenTheyDiffer() {
    ByteString newer =
        Hello.newBuilder().setProtocolVersion(7).setNode("store/s1").build().toByteString();
    assertThatThrownBy(() -> Handshake.judge(newer, SELF))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH);
              assertThat(e.getMessage()).contains("store/s1").contains("version 7");
            });
  }

  @Test
  void refusesAMalformedHello() {
    ByteString malformed = ByteString.copyFromUtf8("not a message");
    assertThatThrownBy(() -> Handshake.judge(malformed, SELF))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION));
    assertThat(Handshake.decode(malformed).code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void carriesErrorsAndCutsWhatIsTooLong() {
    FloeException small =
        new FloeException(ErrorCode.NOT_LEADER, "ask m2", Map.of("leader", "m2:1"), null);
    FloeException carried = Handshake.decode(Handshake.encode(small));
    assertThat(carried.code()).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(carried.getMessage()).isEqualTo("ask m2");
    assertThat(carried.context()).isEqualTo(Map.of("leader", "m2:1"));
    FloeException large =
        new FloeException(
            ErrorCode.NOT_LEADER,
            "x".repeat(100_000),
            Map.of("a", "1", "b", "y".repeat(1_000_000)),
            null);
    FloeException cut = Handshake.decode(Handshake.encode(large));
    assertThat(cut.getMessage()).hasSize(Limits.ERROR_MESSAGE_CHARS_MAX);
    assertThat(cut.context()).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void logsAtMostOneRefusedPeerPerSecondButCountsThemAll() {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.floe.wire");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    // What the tests show on the console says nothing about what production logs.
    Level shown = logger.getLevel();
    logger.setLevel(Level.WARN);
    logger.addAppender(lines);
    try {
      FakeTicker ticker = new FakeTicker();
      WireLog log = new WireLog(ticker);
      for (int i = 0; i < 2_500; i++) {
        log.refused("test-peer", "it sent garbage");
        ticker.advance(Duration.ofMillis(1));
      }
      assertThat(log.count()).isEqualTo(2_500);
      assertThat(lines.list)
          .filteredOn(e -> e.getFormattedMessage().contains("test-peer"))
          .hasSize(3)
          .allMatch(e -> e.getLevel() == Level.WARN);
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(shown);
    }
  }
}
