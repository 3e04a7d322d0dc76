package dev.floe.store.wire;

import dev.floe.core.buffer.Checksums;
import dev.floe.core.wire.RequestHandler;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.StoreSegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives bytes of a value, straight from the segment; they stay as they are until the answer is
/// written.
///
/// The checksum in the answer is the writer's own when the bytes are one chunk, so that the reader
/// also notices what memory has done to them; otherwise it is computed here and covers the way.
final class ReadHandler implements RequestHandler {
  private final MemorySegmentStore segments;

  ReadHandler(MemorySegmentStore segments) {
    this.segments = segments;
  }

  @Override
  public Response handle(RequestHead head, @Nullable BodyTarget body) {
    DataCodec.BytesRead read = DataCodec.decodeRead(head.header());
    StoreSegment.ReadableBytes bytes =
        segments.find(read.segment()).beginRead(read.range(), read.from(), read.length());
    boolean answered = false;
    try {
      int checksum = bytes.checksum().orElseGet(() -> Checksums.crc32c(bytes.buffer().duplicate()));
      Response response =
          new Response(
              DataCodec.readable(checksum),
              read.length() == 0 ? List.of() : List.of(bytes.buffer()),
              bytes::close);
      answered = true;
      return response;
    } finally {
      if (!answered) {
        bytes.close();
      }
    }
  }
}
