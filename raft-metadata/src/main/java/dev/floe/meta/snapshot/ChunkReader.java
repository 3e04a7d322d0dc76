package dev.floe.meta.snapshot;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.snapshot.SnapshotFormat.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads chunks and checks their frames.
final class ChunkReader {
  private final InputStream in;
  private long offset;

  /// Reads magic and version.
  ///
  /// @throws FloeException `CORRUPT`, `VERSION_MISMATCH`
  ChunkReader(InputStream in) throws IOException {
    this.in = in;
    byte[] prefix = bytes(SnapshotFormat.PREFIX_BYTES, "magic and version");
    if (!Arrays.equals(
        prefix,
        0,
        SnapshotFormat.MAGIC.length,
        SnapshotFormat.MAGIC,
        0,
        SnapshotFormat.MAGIC.length)) {
      throw SnapshotFormat.corrupt(0, "it does not begin with FLOESNAP; it is no snapshot");
    }
    int version = ByteBuffer.wrap(prefix).getInt(SnapshotFormat.MAGIC.length);
    if (version != SnapshotFormat.VERSION) {
      throw new FloeException(
          ErrorCode.VERSION_MISMATCH,
          "the snapshot has format version "
              + version
              + ", this release knows "
              + SnapshotFormat.VERSION
              + "; read it with the release that wrote it");
    }
  }

  /// The next chunk, or null at the end of the stream.
  @Nullable Chunk next() throws IOException {
    long start = offset;
    int first = in.read();
    if (first < 0) {
      return null;
    }
    offset++;
    Kind kind = Kind.of((byte) first, start);
    ByteBuffer header =
        ByteBuffer.wrap(bytes(SnapshotFormat.CHUNK_HEADER_BYTES - 1, "a chunk header"));
    int length = header.getInt();
    int crc = header.getInt();
    if (length < 0 || length > SnapshotFormat.CHUNK_BYTES_MAX) {
      throw SnapshotFormat.corrupt(start, "a chunk of " + length + " bytes");
    }
    byte[] payload = bytes(length, "a chunk of " + length + " bytes");
    if (SnapshotFormat.crc(kind, payload, length) != crc) {
      throw SnapshotFormat.corrupt(start, "the checksum of a chunk of " + kind + " is wrong");
    }
    return new Chunk(kind, start, payload);
  }

  long offset() {
    return offset;
  }

  private byte[] bytes(int count, String what) throws IOException {
    byte[] bytes = in.readNBytes(count);
    offset += bytes.length;
    if (bytes.length < count) {
      throw SnapshotFormat.corrupt(offset, "it ends within " + what);
    }
    return bytes;
  }

  /// A chunk whose checksum is right.
  ///
  /// @param offset where it begins in the file
  @SuppressWarnings("ArrayRecordComponent")
  record Chunk(Kind kind, long offset, byte[] payload) {}
}
