package dev.floe.meta.snapshot;

import com.google.protobuf.Message;
import dev.floe.meta.snapshot.SnapshotFormat.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Gathers messages into chunks and writes them out.
final class ChunkWriter {
  private final OutputStream out;
  private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
  private @Nullable Kind kind;

  ChunkWriter(OutputStream out) throws IOException {
    this.out = out;
    out.write(SnapshotFormat.MAGIC);
    out.write(ByteBuffer.allocate(Integer.BYTES).putInt(SnapshotFormat.VERSION).array());
  }

  void add(Kind messageKind, Message message) throws IOException {
    if (messageKind != kind) {
      flush();
      kind = messageKind;
    }
    message.writeDelimitedTo(payload);
    if (payload.size() >= SnapshotFormat.CHUNK_BYTES) {
      flush();
    }
  }

  /// Writes out what is gathered.
  void flush() throws IOException {
    if (kind == null || payload.size() == 0) {
      return;
    }
    byte[] bytes = payload.toByteArray();
    payload.reset();
    if (bytes.length > SnapshotFormat.CHUNK_BYTES_MAX) {
      throw new IllegalStateException("a chunk of " + bytes.length + " bytes, of " + kind);
    }
    out.write(
        ByteBuffer.allocate(SnapshotFormat.CHUNK_HEADER_BYTES)
            .put(kind.number)
            .putInt(bytes.length)
            .putInt(SnapshotFormat.crc(kind, bytes, bytes.length))
            .array());
    out.write(bytes);
  }
}
