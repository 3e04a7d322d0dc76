package dev.floe.store.client.value;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Memory as a value's source or destination: in place when it is off the heap and not confined to a
/// thread, by copy otherwise.
final class MemoryValue implements ValueSource, ValueSink {
  private final MemorySegment bytes;
  private final boolean isInPlace;

  MemoryValue(MemorySegment bytes) {
    this.bytes = bytes;
    this.isInPlace =
        bytes.isNative() && bytes.isAccessibleBy(Thread.ofVirtual().unstarted(() -> {}));
  }

  @Override
  public long sizeBytes() {
    return bytes.byteSize();
  }

  @Override
  public @Nullable ByteBuffer view(long from, int length) {
    return isInPlace ? bytes.asSlice(from, length).asByteBuffer() : null;
  }

  @Override
  public void read(long from, ByteBuffer into) {
    int length = into.remaining();
    try {
      MemorySegment.copy(bytes, from, MemorySegment.ofBuffer(into), 0, length);
    } catch (WrongThreadException e) {
      throw confined(e);
    }
    into.position(into.limit());
  }

  @Override
  public void begin(long sizeBytes) {
    if (bytes.isReadOnly()) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, "the destination is read-only memory; give another");
    }
    if (sizeBytes > bytes.byteSize()) {
      throw new FloeException(
          ErrorCode.TOO_LARGE,
          sizeBytes
              + " bytes do not fit into a destination of "
              + bytes.byteSize()
              + "; give a larger one or read a range");
    }
  }

  @Override
  public void write(long at, ByteBuffer verified) {
    int length = verified.remaining();
    try {
      MemorySegment.copy(MemorySegment.ofBuffer(verified), 0, bytes, at, length);
    } catch (WrongThreadException e) {
      throw confined(e);
    }
  }

  @Override
  public boolean restart() {
    return true;
  }

  @Override
  public void commit() {}

  @Override
  public void abort() {}

  private static FloeException confined(WrongThreadException e) {
    return new FloeException(
        ErrorCode.INVALID_ARGUMENT,
        "the memory is confined to a thread, but batches work with several: use a shared arena",
        e);
  }
}
