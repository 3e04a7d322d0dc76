package dev.floe.store.client.value;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// Where the bytes of a value that is put come from; they must not change meanwhile.
///
/// A source is asked from one thread at a time. Chunks are asked in order, and again only when the
/// whole put is tried again.
public interface ValueSource {
  /// How many bytes there are: 0 to `Limits.OBJECT_BYTES_MAX`.
  long sizeBytes();

  /// The bytes themselves when they lie in memory off the heap that every thread may read, or null:
  /// then `read` copies them.
  @Nullable ByteBuffer view(long from, int length);

  /// Puts the bytes from `from` on into `into` until it is full.
  ///
  /// @throws dev.floe.core.error.FloeException `IO_ERROR` when they cannot be read or there are fewer
  ///     than promised
  void read(long from, ByteBuffer into);

  /// The bytes of an array.
  static ValueSource of(byte[] bytes) {
    return new MemoryValue(MemorySegment.ofArray(bytes));
  }

  /// The bytes from position to limit of a buffer, which keeps its position.
  static ValueSource of(ByteBuffer bytes) {
    return new MemoryValue(MemorySegment.ofBuffer(bytes));
  }

  /// The bytes of a memory segment, of any size.
  static ValueSource of(MemorySegment bytes) {
    return new MemoryValue(bytes);
  }

  /// Bytes of an open file; its position is neither used nor changed.
  static ValueSource of(FileChannel file, long from, long sizeBytes) {
    return new FileValue(file, from, sizeBytes);
  }
}
