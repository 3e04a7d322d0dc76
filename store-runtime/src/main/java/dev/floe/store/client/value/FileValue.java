package dev.floe.store.client.value;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// A value that is read from a file.
record FileValue(FileChannel file, long start, long sizeBytes) implements ValueSource {
  FileValue {
    if (start < 0 || sizeBytes < 0 || start > Long.MAX_VALUE - sizeBytes) {
      throw new FloeException(
          ErrorCode.INVALID_SIZE, "bytes " + start + "+" + sizeBytes + " of a file");
    }
  }

  @Override
  public @Nullable ByteBuffer view(long from, int length) {
    return null;
  }

  @Override
  public void read(long from, ByteBuffer into) {
    long at = start + from;
    try {
      while (into.hasRemaining()) {
        int count = file.read(into, at);
        if (count < 0) {
          throw new FloeException(
              ErrorCode.IO_ERROR,
              "the file ends at byte "
                  + at
                  + " but "
                  + sizeBytes
                  + " bytes from "
                  + start
                  + " on were promised: it became shorter");
        }
        at += count;
      }
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR, "the file cannot be read at " + at + ": " + IoReason.of(e), e);
    }
  }
}
