package dev.floe.store.segment;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory that the arena itself allocates and clears.
final class ProcessMemorySource implements MemorySource {
  @Override
  public MemorySegment allocate(long bytes, Arena arena) {
    try {
      return arena.allocate(bytes, SegmentMemory.ALIGNMENT_BYTES);
    } catch (OutOfMemoryError e) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "a segment of "
              + bytes
              + " bytes was asked, but the process gets no such memory ("
              + e.getMessage()
              + "); make it smaller or raise -XX:MaxDirectMemorySize",
          e);
    }
  }

  @Override
  public boolean isDirect() {
    return true;
  }
}
