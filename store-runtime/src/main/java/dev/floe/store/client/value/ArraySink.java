package dev.floe.store.client.value;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Collects a value in an array of its size.
public final class ArraySink implements ValueSink {
  private byte[] bytes = new byte[0];

  /// The value, after a get that returned.
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public void begin(long sizeBytes) {
    if (sizeBytes > Integer.MAX_VALUE - 8) {
      throw new FloeException(
          ErrorCode.TOO_LARGE,
          "a value of "
              + sizeBytes
              + " bytes does not fit into an array; read it into a memory segment, a file or a"
              + " channel");
    }
    bytes = new byte[(int) sizeBytes];
  }

  @Override
  public @Nullable ByteBuffer view(long at, int length) {
    return null;
  }

  @Override
  public void write(long at, ByteBuffer verified) {
    verified.get(bytes, (int) at, verified.remaining());
  }

  @Override
  public boolean restart() {
    return true;
  }

  @Override
  public void commit() {}

  @Override
  public void abort() {
    bytes = new byte[0];
  }
}
