package dev.floe.core.wire.frame;

import dev.floe.core.error.Limits;

/// The fixed part of a frame; `FrameCodec` draws its bytes.
///
/// @param kind request, answer or error
/// @param type one of `FrameType`, 0 to 65535; an answer repeats the type of its request
/// @param requestId chosen by the caller, unique among its unanswered requests
/// @param message length and checksum of the protobuf header that follows
/// @param bodyBytes length of the payload that follows the protobuf header
/// @param deadlineMillis time that the caller still waits, 0 for no bound; 0 in answers
public record FrameHeader(
    Kind kind, int type, long requestId, Message message, int bodyBytes, long deadlineMillis) {

  /// Bytes of the fixed part.
  public static final int BYTES = 40;

  /// The largest value of `deadlineMillis`.
  public static final long DEADLINE_MILLIS_MAX = 0xFFFF_FFFFL;

  public FrameHeader {
    check(type >= 0 && type <= 0xFFFF, "type", type);
    check(bodyBytes >= 0 && bodyBytes <= Limits.FRAME_BODY_BYTES_MAX, "bodyBytes", bodyBytes);
    check(
        deadlineMillis >= 0 && deadlineMillis <= DEADLINE_MILLIS_MAX,
        "deadlineMillis",
        deadlineMillis);
  }

  /// What a frame is.
  public enum Kind {
    REQUEST(0),
    RESPONSE(1),
    /// An answer whose protobuf header is an `ErrorHeader`.
    ERROR(3);

    private final int flags;

    Kind(int flags) {
      this.flags = flags;
    }

    /// The flags byte: bit 0 RESPONSE, bit 1 ERROR.
    int flags() {
      return flags;
    }
  }

  /// The protobuf header that follows the fixed part.
  ///
  /// @param bytes its length
  /// @param crc32c checksum over its bytes
  public record Message(int bytes, int crc32c) {
    public Message {
      check(bytes >= 0 && bytes <= Limits.FRAME_HEADER_BYTES_MAX, "header bytes", bytes);
    }
  }

  private static void check(boolean holds, String name, long value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " of a frame is " + value);
    }
  }
}
