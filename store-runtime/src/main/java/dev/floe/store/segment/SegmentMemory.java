package dev.floe.store.segment;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The bytes of one segment: off the heap, of any size, aligned to 4096.
///
/// Closing gives the memory back at once: whoever closes has made sure that nobody is on it, which is
/// what the guards of a `RangeTable` are for.
public final class SegmentMemory implements AutoCloseable {
  /// What the start of a segment is a multiple of: a page, and what direct I/O asks for.
  public static final long ALIGNMENT_BYTES = 4096;

  private final Arena arena;
  private final MemorySegment bytes;

  private SegmentMemory(Arena arena, MemorySegment bytes) {
    this.arena = arena;
    this.bytes = bytes;
  }

  /// Zeroed memory of `capacityBytes` from `source`.
  ///
  /// @throws FloeException `INVALID_CONFIG` when the size is out of range or there is not as much
  // The arena lives as long as the segment, which closes it.
  @SuppressWarnings("MustBeClosedChecker")
  public static SegmentMemory allocate(long capacityBytes, MemorySource source) {
    if (capacityBytes <= 0 || capacityBytes > Limits.SEGMENT_BYTES_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "a segment of "
              + capacityBytes
              + " bytes was asked; allowed are 1 to "
              + Limits.SEGMENT_BYTES_MAX);
    }
    Arena arena = Arena.ofShared();
    boolean made = false;
    try {
      SegmentMemory memory = new SegmentMemory(arena, source.allocate(capacityBytes, arena));
      made = true;
      return memory;
    } finally {
      if (!made) {
        arena.close();
      }
    }
  }

  /// How many bytes there are.
  public long capacityBytes() {
    return bytes.byteSize();
  }

  /// A view of some bytes, whose changes are changes of the segment.
  public ByteBuffer slice(long offset, int length) {
    return bytes.asSlice(offset, length).asByteBuffer();
  }

  @Override
  public void close() {
    arena.close();
  }
}
