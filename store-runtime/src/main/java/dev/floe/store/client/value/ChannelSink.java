package dev.floe.store.client.value;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// Passes verified bytes on; what has gone cannot be taken back.
final class ChannelSink implements ValueSink {
  private final WritableByteChannel target;
  private boolean hasGiven;

  ChannelSink(WritableByteChannel target) {
    this.target = target;
  }

  @Override
  public void begin(long sizeBytes) {}

  @Override
  public @Nullable ByteBuffer view(long at, int length) {
    return null;
  }

  @Override
  public void write(long at, ByteBuffer verified) {
    hasGiven = true;
    try {
      while (verified.hasRemaining()) {
        target.write(verified);
      }
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "the destination took no more bytes after " + at + ": " + IoReason.of(e),
          e);
    }
  }

  @Override
  public boolean restart() {
    return !hasGiven;
  }

  @Override
  public void commit() {}

  @Override
  public void abort() {}
}
