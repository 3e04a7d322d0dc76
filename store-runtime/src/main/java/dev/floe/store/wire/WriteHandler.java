package dev.floe.store.wire;

import dev.floe.core.buffer.Checksums;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.RequestHandler;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.StoreSegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Takes one chunk of a value: the payload goes from the socket into the segment, is compared with
/// its checksum there, and only then counts as written.
final class WriteHandler implements RequestHandler {
  private final MemorySegmentStore segments;

  WriteHandler(MemorySegmentStore segments) {
    this.segments = segments;
  }

  @Override
  public BodyTarget bodyTarget(RequestHead head) {
    return begin(head);
  }

  @Override
  public Response handle(RequestHead head, @Nullable BodyTarget body) {
    if (body == null) {
      try (Chunk empty = begin(head)) {
        return Response.of(DataCodec.written(empty.finish()));
      }
    }
    if (body instanceof Chunk chunk) {
      return Response.of(DataCodec.written(chunk.finish()));
    }
    throw new IllegalStateException("a payload target of another handler: " + body);
  }

  private Chunk begin(RequestHead head) {
    DataCodec.ChunkWrite write = DataCodec.decodeWrite(head.header());
    StoreSegment.WritableChunk place =
        segments
            .find(write.segment())
            .beginWrite(
                write.range(),
                write.chunkBytes(),
                write.from(),
                head.bodyBytes(),
                write.checksum());
    return new Chunk(write, place, head.bodyBytes());
  }

  /// The place in the segment while the payload arrives and is checked.
  private static final class Chunk implements BodyTarget {
    private final DataCodec.ChunkWrite write;
    private final StoreSegment.WritableChunk place;
    private final ByteBuffer buffer;
    private final int length;

    Chunk(DataCodec.ChunkWrite write, StoreSegment.WritableChunk place, int length) {
      this.write = write;
      this.place = place;
      this.buffer = place.buffer();
      this.length = length;
    }

    @Override
    public ByteBuffer buffer() {
      return buffer;
    }

    /// Checks what arrived and marks it as written; whether the value is complete.
    boolean finish() {
      int seen = Checksums.crc32c(place.buffer().duplicate().position(0).limit(length));
      if (seen != write.checksum()) {
        throw new FloeException(
            ErrorCode.CHECKSUM_MISMATCH,
            "bytes "
                + write.from()
                + "+"
                + length
                + " of token "
                + write.range().token()
                + " arrived with CRC32C "
                + Integer.toHexString(seen)
                + " instead of "
                + Integer.toHexString(write.checksum())
                + "; send them again");
      }
      return place.commit();
    }

    @Override
    public void close() {
      place.close();
    }
  }
}
