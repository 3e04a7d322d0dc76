package dev.floe.core.buffer;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/// One buffer of a pool and the arena that frees it without waiting for the garbage collector.
final class PooledMemory {
  private final Arena arena = Arena.ofShared();
  private final ByteBuffer buffer;

  PooledMemory(int bytes) {
    boolean isAllocated = false;
    try {
      buffer = arena.allocate(bytes, BufferPool.ALIGNMENT_BYTES).asByteBuffer();
      isAllocated = true;
    } finally {
      if (!isAllocated) {
        arena.close();
      }
    }
  }

  int bytes() {
    return buffer.capacity();
  }

  /// A view with its own position and limit, from 0 to `limit`.
  ByteBuffer view(int limit) {
    return buffer.duplicate().limit(limit);
  }

  void free() {
    arena.close();
  }
}
