package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// Writes and reads the fixed 40 bytes that start every frame, all fields little-endian:
///
/// | offset | bytes | field                                                              |
/// |-------:|------:|--------------------------------------------------------------------|
/// |      0 |     4 | magic: the letters `FLOE`                                          |
/// |      4 |     1 | protocol version, 1                                                |
/// |      5 |     1 | flags: bit 0 RESPONSE, bit 1 ERROR (only with RESPONSE), others 0  |
/// |      6 |     2 | type, see `FrameType`                                              |
/// |      8 |     8 | request id                                                         |
/// |     16 |     4 | length of the protobuf header that follows                         |
/// |     20 |     4 | CRC32C of the protobuf header                                      |
/// |     24 |     8 | length of the payload that follows the protobuf header             |
/// |     32 |     4 | milliseconds that the caller still waits, 0 for no bound           |
/// |     36 |     4 | CRC32C of bytes 0 to 35                                            |
///
/// The version is judged before the checksum, because another version may lay out the rest
/// differently. The payload carries no checksum of its own here: it belongs to the message, which
/// knows what is being moved.
public final class FrameCodec {
  /// The protocol version that this release speaks.
  public static final int PROTOCOL_VERSION = 1;

  private static final int MAGIC = 0x454F_4C46; // "FLOE" read as a little-endian int
  private static final int CHECKED_BYTES = 36;

  private FrameCodec() {}

  /// Appends the 40 bytes to `out`.
  public static void encode(FrameHeader header, ByteBuffer out) {
    ByteBuffer bytes = out.slice(out.position(), FrameHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0, MAGIC);
    bytes.put(4, (byte) PROTOCOL_VERSION);
    bytes.put(5, (byte) header.kind().flags());
    bytes.putShort(6, (short) header.type());
    bytes.putLong(8, header.requestId());
    bytes.putInt(16, header.message().bytes());
    bytes.putInt(20, header.message().crc32c());
    bytes.putLong(24, header.bodyBytes());
    bytes.putInt(32, (int) header.deadlineMillis());
    bytes.putInt(CHECKED_BYTES, crcOfFixedPart(bytes));
    out.position(out.position() + FrameHeader.BYTES);
  }

  /// Takes 40 bytes from `in`.
  ///
  /// @throws FloeException `VERSION_MISMATCH` for another protocol version, `PROTOCOL_VIOLATION` for
  ///     anything that is not a frame of ours, naming what was seen
  public static FrameHeader decode(ByteBuffer in) {
    if (in.remaining() < FrameHeader.BYTES) {
      throw violation("a frame starts with 40 bytes but only " + in.remaining() + " came");
    }
    ByteBuffer bytes = in.slice(in.position(), FrameHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + FrameHeader.BYTES);
    checkOrigin(bytes);
    int messageBytes =
        length("protobuf header", bytes.getInt(16) & 0xFFFF_FFFFL, Limits.FRAME_HEADER_BYTES_MAX);
    int bodyBytes = length("payload", bytes.getLong(24), Limits.FRAME_BODY_BYTES_MAX);
    return new FrameHeader(
        kind(bytes.get(5)),
        bytes.getShort(6) & 0xFFFF,
        bytes.getLong(8),
        new FrameHeader.Message(messageBytes, bytes.getInt(20)),
        bodyBytes,
        bytes.getInt(32) & 0xFFFF_FFFFL);
  }

  /// Whether bytes that begin a frame cannot be one of ours; false when too few have come to tell.
  static boolean isForeign(ByteBuffer begun) {
    return begun.remaining() >= Integer.BYTES
        && begun.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(begun.position()) != MAGIC;
  }

  /// The CRC32C of an encoded protobuf header.
  public static int crcOf(ByteString message) {
    CRC32C crc = new CRC32C();
    crc.update(message.asReadOnlyByteBuffer());
    return (int) crc.getValue();
  }

  private static void checkOrigin(ByteBuffer bytes) {
    int magic = bytes.getInt(0);
    if (magic != MAGIC) {
      throw violation(
          String.format(
              "a frame starts with the bytes 46 4c 4f 45 but %02x %02x %02x %02x came: the other"
                  + " side does not speak this protocol",
              bytes.get(0), bytes.get(1), bytes.get(2), bytes.get(3)));
    }
    int version = bytes.get(4) & 0xFF;
    if (version != PROTOCOL_VERSION) {
      throw new FloeException(
          ErrorCode.VERSION_MISMATCH,
          "the other side speaks protocol version "
              + version
              + ", this node speaks "
              + PROTOCOL_VERSION
              + ": run the same release on both sides");
    }
    int stored = bytes.getInt(CHECKED_BYTES);
    int computed = crcOfFixedPart(bytes);
    if (stored != computed) {
      throw violation(
          String.format(
              "the checksum of a frame's first 36 bytes is %08x but the frame says %08x",
              computed, stored));
    }
  }

  private static FrameHeader.Kind kind(byte flags) {
    return switch (flags) {
      case 0 -> FrameHeader.Kind.REQUEST;
      case 1 -> FrameHeader.Kind.RESPONSE;
      case 3 -> FrameHeader.Kind.ERROR;
      default -> throw violation(String.format("a frame has the unknown flags %02x", flags));
    };
  }

  private static int length(String what, long value, int max) {
    if (value < 0 || value > max) {
      throw violation(
          "a frame announces a "
              + what
              + " of "
              + Long.toUnsignedString(value)
              + " bytes, the limit is "
              + max);
    }
    return (int) value;
  }

  private static int crcOfFixedPart(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(0).limit(CHECKED_BYTES));
    return (int) crc.getValue();
  }

  private static FloeException violation(String message) {
    return new FloeException(ErrorCode.PROTOCOL_VIOLATION, message);
  }
}
