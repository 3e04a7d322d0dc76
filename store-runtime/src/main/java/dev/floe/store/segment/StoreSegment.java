package dev.floe.store.segment;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/// A segment's memory together with the table that says who may touch it; safe for many threads.
///
/// The memory is given back when the segment is closed and the last request has left it.
public final class StoreSegment implements AutoCloseable {
  private final SegmentMemory memory;
  private final RangeTable table;

  /// Takes the memory over; the segment may take the whole share of the heap for itself.
  public StoreSegment(SegmentMemory memory) {
    this(memory, RangeBudget.ofThisProcess());
  }

  /// Takes the memory over.
  ///
  /// @param budget of heap, what all segments of the runtime share
  public StoreSegment(SegmentMemory memory, RangeBudget budget) {
    this.memory = memory;
    this.table = new RangeTable(memory.capacityBytes(), budget);
  }

  /// How many bytes there are.
  public long capacityBytes() {
    return memory.capacityBytes();
  }

  /// The place for one chunk of a value; errors as in `RangeTable.beginWrite`.
  ///
  /// @param checksum CRC32C of the chunk
  public WritableChunk beginWrite(
      TokenRange range, int chunkBytes, long from, int length, int checksum) {
    RangeTable.WriteGuard guard = table.beginWrite(range, chunkBytes, from, length, checksum);
    return new WritableChunk(memory.slice(range.offset() + from, length), guard);
  }

  /// Bytes of a value; errors as in `RangeTable.beginRead`, and `TOO_LARGE` above
  /// `Limits.FRAME_BODY_BYTES_MAX`.
  public ReadableBytes beginRead(TokenRange range, long from, long length) {
    if (length > Limits.FRAME_BODY_BYTES_MAX) {
      throw new FloeException(
          ErrorCode.TOO_LARGE,
          length
              + " bytes asked in one read, the limit is "
              + Limits.FRAME_BODY_BYTES_MAX
              + "; read in chunks");
    }
    RangeTable.ReadGuard guard = table.beginRead(range, from, length);
    return new ReadableBytes(
        memory.slice(range.offset() + from, (int) length).asReadOnlyBuffer(), guard);
  }

  /// Forgets what was written, as when the segment gets a new number.
  public void forgetAll() {
    table.forgetAll();
  }

  /// What the table holds and has refused.
  public RangeTable.Stats stats() {
    return table.stats();
  }

  @Override
  public void close() {
    table.close(memory::close);
  }

  /// Segment memory for one chunk, the caller's alone until it is closed.
  public static final class WritableChunk implements AutoCloseable {
    private final ByteBuffer buffer;
    private final RangeTable.WriteGuard guard;

    private WritableChunk(ByteBuffer buffer, RangeTable.WriteGuard guard) {
      this.buffer = buffer;
      this.guard = guard;
    }

    /// The segment's own bytes.
    public ByteBuffer buffer() {
      return buffer;
    }

    /// Marks the chunk as written; `RangeTable.WriteGuard.commit`.
    public boolean commit() {
      return guard.commit();
    }

    @Override
    public void close() {
      guard.close();
    }
  }

  /// Segment memory that nobody changes until it is closed.
  public static final class ReadableBytes implements AutoCloseable {
    private final ByteBuffer buffer;
    private final RangeTable.ReadGuard guard;

    private ReadableBytes(ByteBuffer buffer, RangeTable.ReadGuard guard) {
      this.buffer = buffer;
      this.guard = guard;
    }

    /// The segment's own bytes, read-only.
    public ByteBuffer buffer() {
      return buffer;
    }

    /// CRC32C of the bytes as their writer gave it, when they are exactly one chunk.
    public OptionalInt checksum() {
      return guard.checksum();
    }

    @Override
    public void close() {
      guard.close();
    }
  }
}
