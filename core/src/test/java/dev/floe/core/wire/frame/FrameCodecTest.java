package dev.floe.core.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.wire.FrameType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class FrameCodecTest {
  private static final FrameHeader REQUEST =
      new FrameHeader(
          FrameHeader.Kind.REQUEST,
          FrameType.DATA_WRITE,
          0x0123_4567_89AB_CDEFL,
          new FrameHeader.Message(77, 0xCAFE_BABE),
          1 << 20,
          30_000);
  private static final FrameHeader ERROR =
      new FrameHeader(
          FrameHeader.Kind.ERROR, 0xFFFF, -1, new FrameHeader.Message(0, 0), 0, 0xFFFF_FFFFL);

  private static byte[] golden(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(FrameCodecTest.class.getResourceAsStream("/golden/" + name))) {
      return HexFormat.of()
          .parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("\\s", ""));
    }
  }

  private static byte[] encode(FrameHeader header) {
    ByteBuffer out = ByteBuffer.allocate(FrameHeader.BYTES);
    FrameCodec.encode(header, out);
    assertThat(out.hasRemaining()).isFalse();
    return out.array();
  }

  /// A valid frame with one field overwritten and the checksum put right again.
  private static ByteBuffer altered(int offset, byte... bytes) {
    ByteBuffer frame = ByteBuffer.wrap(encode(REQUEST)).order(ByteOrder.LITTLE_ENDIAN);
    frame.put(offset, bytes);
    CRC32C crc = new CRC32C();
    crc.update(frame.array(), 0, 36);
    frame.putInt(36, (int) crc.getValue());
    return frame;
  }

  private static void assertRefused(ErrorCode code, ByteBuffer frame, String... named) {
    assertThatThrownBy(() -> FrameCodec.decode(frame))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              for (String name : named) {
                assertThat(e.getMessage()).contains(name);
              }
            });
  }

  @Test
  void writesTheBytesThatEveryReleaseReads() throws IOException {
    assertThat(encode(REQUEST)).isEqualTo(golden("frame-request.hex"));
    assertThat(encode(ERROR)).isEqualTo(golden("frame-error.hex"));
  }

  @Test
  void readsTheBytesThatEveryReleaseWrote() throws IOException {
    assertThat(FrameCodec.decode(ByteBuffer.wrap(golden("frame-request.hex")))).isEqualTo(REQUEST);
    assertThat(FrameCodec.decode(ByteBuffer.wrap(golden("frame-error.hex")))).isEqualTo(ERROR);
  }

  @Test
  void namesTheFirstBytesOfAnotherProtocol() {
    ByteBuffer http =
        ByteBuffer.allocate(40).put("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII)).clear();
    assertRefused(ErrorCode.PROTOCOL_VIOLATION, http, "47 45 54 20");
  }

  @Test
  void namesAnotherVersionWhateverFollows() {
    ByteBuffer frame = ByteBuffer.wrap(encode(REQUEST)).put(4, (byte) 2);
    assertRefused(ErrorCode.VERSION_MISMATCH, frame, "version 2", "speaks 1");
  }

  @Test
  void refusesEveryFlippedBit() {
    for (int bit = 0; bit < FrameHeader.BYTES * 8; bit++) {
      ByteBuffer frame = ByteBuffer.wrap(encode(REQUEST));
      frame.put(bit / 8, (byte) (frame.get(bit / 8) ^ (1 << (bit % 8))));
      boolean isVersion = bit / 8 == 4;
      assertRefused(isVersion ? ErrorCode.VERSION_MISMATCH : ErrorCode.PROTOCOL_VIOLATION, frame);
    }
  }

  @Test
  void namesLengthsAboveTheLimits() {
    assertRefused(
        ErrorCode.PROTOCOL_VIOLATION,
        altered(16, (byte) 1, (byte) 0, (byte) 0, (byte) 1),
        "protobuf header of 16777217 bytes",
        "" + Limits.FRAME_HEADER_BYTES_MAX);
    assertRefused(
        ErrorCode.PROTOCOL_VIOLATION,
        altered(24, (byte) 1, (byte) 0, (byte) 0, (byte) 1),
        "payload of 16777217 bytes",
        "" + Limits.FRAME_BODY_BYTES_MAX);
    assertRefused(
        ErrorCode.PROTOCOL_VIOLATION, altered(31, (byte) 0x80), "payload of 9223372036855824384");
  }

  @Test
  void refusesFlagsThatMeanNothing() {
    for (int flags = 0; flags < 256; flags++) {
      ByteBuffer frame = altered(5, (byte) flags);
      if (flags == 0 || flags == 1 || flags == 3) {
        assertThat(FrameCodec.decode(frame).kind().flags()).isEqualTo(flags);
      } else {
        assertRefused(ErrorCode.PROTOCOL_VIOLATION, frame, String.format("flags %02x", flags));
      }
    }
  }

  @Test
  void checksumsAHeaderAsItsBytes() {
    assertThat(FrameCodec.crcOf(ByteString.copyFromUtf8("123456789"))).isEqualTo(0xE306_9283);
  }
}
