package dev.floe.store.client;

import dev.floe.core.buffer.Checksums;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.RequestHandler;
import dev.floe.proto.data.ReadResponse;
import dev.floe.proto.data.WriteResponse;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.wire.DataCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A store that keeps no bytes: it checks that each written chunk is the pattern, and answers reads
/// with the pattern. So values of any size need no memory.
///
/// The pattern at byte n, n a multiple of 8, is the number n times an odd constant: a chunk that
/// ends up elsewhere, say 4 GiB further, is noticed.
final class PatternStore {
  private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

  final AtomicLong writtenBytes = new AtomicLong();

  static void fill(long from, ByteBuffer into) {
    ByteBuffer view = into.slice().order(ByteOrder.LITTLE_ENDIAN);
    while (view.remaining() >= 8) {
      view.putLong((from + view.position()) * FACTOR);
    }
    for (int shift = 0; view.hasRemaining(); shift += 8) {
      long word = (from + view.position() - shift / 8) * FACTOR;
      view.put((byte) (word >>> shift));
    }
    into.position(into.limit());
  }

  static void check(long from, ByteBuffer bytes) {
    ByteBuffer view = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    while (view.remaining() >= 8) {
      long at = from + view.position();
      if (view.getLong() != at * FACTOR) {
        throw new FloeException(ErrorCode.CORRUPT, "other bytes at " + at);
      }
    }
    for (int shift = 0; view.hasRemaining(); shift += 8) {
      long word = (from + view.position() - shift / 8) * FACTOR;
      if (view.get() != (byte) (word >>> shift)) {
        throw new FloeException(ErrorCode.CORRUPT, "other bytes at the end of " + from);
      }
    }
  }

  HandlerTable handlers() {
    return HandlerTable.builder()
        .add(FrameType.DATA_WRITE, new Write())
        .add(FrameType.DATA_READ, new Read())
        .build();
  }

  private final class Write implements RequestHandler {
    @Override
    public BodyTarget bodyTarget(RequestHead head) {
      return new Chunk(ByteBuffer.allocateDirect(head.bodyBytes()));
    }

    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      DataCodec.ChunkWrite write = DataCodec.decodeWrite(head.header());
      if (!(body instanceof Chunk chunk)) {
        throw new FloeException(ErrorCode.INVALID_ARGUMENT, "no payload");
      }
      ByteBuffer bytes = chunk.buffer.duplicate().position(0).limit(head.bodyBytes());
      if (write.range().objectBytes() != write.range().length()
          || write.from() + head.bodyBytes() > write.range().objectBytes()
          || Checksums.crc32c(bytes) != write.checksum()) {
        throw new FloeException(ErrorCode.INVALID_ARGUMENT, "a bad chunk: " + write);
      }
      check(write.from(), bytes);
      writtenBytes.addAndGet(head.bodyBytes());
      return Response.of(WriteResponse.getDefaultInstance().toByteString());
    }
  }

  private record Chunk(ByteBuffer buffer) implements RequestHandler.BodyTarget {
    @Override
    public void close() {}
  }

  private static final class Read implements RequestHandler {
    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      DataCodec.BytesRead read = DataCodec.decodeRead(head.header());
      if (read.from() + read.length() > read.range().objectBytes()) {
        throw new FloeException(ErrorCode.INVALID_ARGUMENT, "a bad read: " + read);
      }
      ByteBuffer bytes = ByteBuffer.allocateDirect((int) read.length());
      fill(read.from(), bytes.duplicate());
      return new Response(
          ReadResponse.newBuilder().setCrc32C(Checksums.crc32c(bytes)).build().toByteString(),
          List.of(bytes),
          () -> {});
    }
  }

  /// The pattern as a value of any size.
  record Source(long sizeBytes) implements ValueSource {
    @Override
    public @Nullable ByteBuffer view(long from, int length) {
      return null;
    }

    @Override
    public void read(long from, ByteBuffer into) {
      fill(from, into);
    }
  }

  /// Takes the pattern and keeps nothing but how much came.
  static final class Sink implements ValueSink {
    private final long from;
    private long begun = -1;
    private long received;
    private boolean committed;

    Sink(long from) {
      this.from = from;
    }

    /// Bytes of a value that was committed.
    long receivedBytes() {
      return committed && received == begun ? received : -1;
    }

    @Override
    public void begin(long sizeBytes) {
      begun = sizeBytes;
    }

    @Override
    public @Nullable ByteBuffer view(long at, int length) {
      return null;
    }

    @Override
    public void write(long at, ByteBuffer verified) {
      if (at != received) {
        throw new FloeException(ErrorCode.CORRUPT, "a gap before " + at);
      }
      received += verified.remaining();
      check(from + at, verified);
    }

    @Override
    public boolean restart() {
      received = 0;
      return true;
    }

    @Override
    public void commit() {
      committed = true;
    }

    @Override
    public void abort() {
      committed = false;
    }
  }
}
