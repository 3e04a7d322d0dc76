package dev.floe.core.buffer;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A buffer on loan from a pool; closing gives it back.
///
/// Whoever closes it must know that nobody reads or writes the buffer any more: the next holder gets
/// the same memory.
public final class BufferLease implements AutoCloseable {
  private final BufferPool pool;
  private final AtomicReference<@Nullable PooledMemory> memory;
  private final ByteBuffer buffer;

  BufferLease(BufferPool pool, PooledMemory memory, int bytes) {
    this.pool = pool;
    this.memory = new AtomicReference<>(memory);
    this.buffer = memory.view(bytes);
  }

  /// The buffer: always the same object, at first from position 0 to as many bytes as were asked
  /// for; its capacity is the whole buffer of the pool.
  ///
  /// @throws IllegalStateException after `close`: a defect of the caller
  public ByteBuffer buffer() {
    if (memory.get() == null) {
      throw new IllegalStateException("a buffer was used after its lease was closed");
    }
    return buffer;
  }

  /// Gives the buffer back; the second call does nothing.
  @Override
  public void close() {
    PooledMemory lent = memory.getAndSet(null);
    if (lent != null) {
      pool.giveBack(lent);
    }
  }
}
