package dev.floe.meta.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// Takes snapshot files apart and puts them together with right checksums.
final class SnapshotFiles {
  private SnapshotFiles() {}

  static void split(byte[] file, List<SnapshotFormat.Kind> kinds, List<byte[]> payloads) {
    try {
      ChunkReader reader = new ChunkReader(new ByteArrayInputStream(file));
      for (ChunkReader.Chunk c = reader.next(); c != null; c = reader.next()) {
        kinds.add(c.kind());
        payloads.add(c.payload());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] join(List<SnapshotFormat.Kind> kinds, List<byte[]> payloads) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(SnapshotFormat.MAGIC);
    out.writeBytes(ByteBuffer.allocate(4).putInt(SnapshotFormat.VERSION).array());
    for (int i = 0; i < payloads.size(); i++) {
      byte[] payload = payloads.get(i);
      out.writeBytes(
          ByteBuffer.allocate(SnapshotFormat.CHUNK_HEADER_BYTES)
              .put(kinds.get(i).number)
              .putInt(payload.length)
              .putInt(SnapshotFormat.crc(kinds.get(i), payload, payload.length))
              .array());
      out.writeBytes(payload);
    }
    return out.toByteArray();
  }
}
