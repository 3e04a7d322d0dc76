package dev.floe.meta.snapshot;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// The snapshot file, version 2: the digest in it covers the start of a runtime's process, which
/// that of version 1 did not. All numbers are big-endian.
///
/// | bytes | what |
/// |---|---|
/// | 8 | magic `FLOESNAP` |
/// | 4 | version |
/// | rest | chunks |
///
/// | bytes of a chunk | what |
/// |---|---|
/// | 1 | kind |
/// | 4 | length of the payload, at most 4 MiB |
/// | 4 | CRC32C of kind, length and payload |
/// | length | payload: messages of the kind (`snapshot.proto`), each after its length as a varint |
///
/// Chunks come in the order of their kinds, except that the allocator chunks of a segment follow the
/// chunk with that segment. The first holds the one header, the last the one footer, and nothing
/// follows it.
final class SnapshotFormat {
  static final byte[] MAGIC = "FLOESNAP".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 2;
  static final int PREFIX_BYTES = MAGIC.length + Integer.BYTES;
  static final int CHUNK_HEADER_BYTES = 1 + 2 * Integer.BYTES;

  /// Size from which a chunk is written out: large enough to be cheap, small enough to hold.
  static final int CHUNK_BYTES = 1 << 20;

  /// No chunk is larger: a chunk is closed by the message that reaches `CHUNK_BYTES`.
  static final int CHUNK_BYTES_MAX = 4 << 20;

  private SnapshotFormat() {}

  static int crc(Kind kind, byte[] payload, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(1 + Integer.BYTES).put(kind.number).putInt(length).flip());
    crc.update(payload, 0, length);
    return (int) crc.getValue();
  }

  static FloeException corrupt(long offset, String what, Throwable cause) {
    return new FloeException(
        ErrorCode.CORRUPT, "the snapshot is damaged at byte " + offset + ": " + what, cause);
  }

  static FloeException corrupt(long offset, String what) {
    return new FloeException(
        ErrorCode.CORRUPT, "the snapshot is damaged at byte " + offset + ": " + what);
  }

  /// What a chunk holds.
  enum Kind {
    HEADER(1),
    RUNTIMES(2),
    SEGMENTS(3),
    ALLOCATOR(4),
    ROUTES(5),
    ABANDONED(6),
    SESSIONS(7),
    FOOTER(8);

    final byte number;

    Kind(int number) {
      this.number = (byte) number;
    }

    static Kind of(byte number, long offset) {
      for (Kind kind : values()) {
        if (kind.number == number) {
          return kind;
        }
      }
      throw corrupt(offset, "chunk kind " + number + " is unknown");
    }
  }
}
