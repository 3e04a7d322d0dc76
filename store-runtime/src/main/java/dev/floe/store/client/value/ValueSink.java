package dev.floe.store.client.value;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where the bytes of a value that is read go to; used from one thread at a time, for one get.
///
/// Only a get that returns or reports `Loaded` has filled its destination. After any other outcome
/// memory may hold anything, a channel may have got a verified beginning of the value, and a file is
/// as it was before.
public interface ValueSink {
  /// Prepares for `sizeBytes` bytes; again after a `restart` when the value was replaced by one of
  /// another size.
  ///
  /// @throws dev.floe.core.error.FloeException `TOO_LARGE` when they do not fit
  void begin(long sizeBytes);

  /// The place for some bytes when it is memory off the heap that every thread may write, or null:
  /// then they come through `write`.
  @Nullable ByteBuffer view(long at, int length);

  /// Takes bytes that matched their checksum; called in order and without gaps, for bytes that had no
  /// view.
  void write(long at, ByteBuffer verified);

  /// Forgets all bytes taken, so that they come again from the first on; false when the sink cannot.
  boolean restart();

  /// All bytes are there and right.
  void commit();

  /// The value will not come.
  void abort();

  /// An array, filled from its start.
  static ValueSink of(byte[] target) {
    return new MemoryValue(MemorySegment.ofArray(target));
  }

  /// A buffer, filled from its position on; the position stays, `Loaded` tells how much came.
  static ValueSink of(ByteBuffer target) {
    return new MemoryValue(MemorySegment.ofBuffer(target));
  }

  /// A memory segment of any size, filled from its start.
  static ValueSink of(MemorySegment target) {
    return new MemoryValue(target);
  }

  /// A blocking channel, which is not closed. It gets verified bytes only, but may have got some
  /// before an error.
  static ValueSink of(WritableByteChannel target) {
    return new ChannelSink(target);
  }

  /// A file, which appears or is replaced when all bytes are there and right; after an error it is as
  /// before and nothing else is left. The new content is not forced to the medium.
  static ValueSink ofFile(Path target) {
    return new FileSink(target);
  }
}
