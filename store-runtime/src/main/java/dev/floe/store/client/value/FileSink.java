package dev.floe.store.client.value;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Collects a value in a file beside its destination and renames it when it is whole.
final class FileSink implements ValueSink {
  private static final int NAMES_MAX = 10_000;

  private final Path target;
  private @Nullable Path partial;
  private @Nullable FileChannel channel;

  FileSink(Path target) {
    this.target = target.toAbsolutePath();
  }

  @Override
  public void begin(long sizeBytes) {
    Path folder = target.getParent();
    if (folder == null || (Files.exists(target) && !Files.isRegularFile(target))) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, target + " exists and is no file; name a file to write to");
    }
    for (int i = 0; channel == null; i++) {
      Path file = folder.resolve(".floe-get-" + i + ".part");
      try {
        channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        partial = file;
      } catch (FileAlreadyExistsException e) {
        if (i == NAMES_MAX) {
          throw noFile(folder, "there are too many unfinished .floe-get-*.part", e);
        }
      } catch (IOException e) {
        throw noFile(folder, IoReason.of(e), e);
      }
    }
  }

  private static FloeException noFile(Path folder, String why, IOException cause) {
    return new FloeException(
        ErrorCode.IO_ERROR, "no file can be made in " + folder + ": " + why, cause);
  }

  @Override
  public @Nullable ByteBuffer view(long at, int length) {
    return null;
  }

  @Override
  public void write(long at, ByteBuffer verified) {
    FileChannel open = channel;
    if (open == null) {
      throw new IllegalStateException("write before begin");
    }
    long position = at;
    try {
      while (verified.hasRemaining()) {
        position += open.write(verified, position);
      }
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "writing for " + target + " failed at byte " + position + ": " + IoReason.of(e),
          e);
    }
  }

  @Override
  public boolean restart() {
    FileChannel open = channel;
    if (open == null) {
      throw new IllegalStateException("restart before begin");
    }
    try {
      // What comes now may be shorter.
      open.truncate(0);
      return true;
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "the unfinished file for " + target + " cannot be emptied: " + IoReason.of(e),
          e);
    }
  }

  @Override
  public void commit() {
    Path file = partial;
    FileChannel open = channel;
    if (file == null || open == null) {
      throw new IllegalStateException("commit before begin");
    }
    try {
      open.close();
      move(file);
      partial = null;
    } catch (IOException e) {
      abort();
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "all bytes came but " + target + " cannot be made: " + IoReason.of(e),
          e);
    }
  }

  private void move(Path file) throws IOException {
    try {
      Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void abort() {
    Path file = partial;
    FileChannel open = channel;
    partial = null;
    channel = null;
    try {
      if (open != null) {
        open.close();
      }
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "the unfinished file " + file + " cannot be removed: " + IoReason.of(e),
          e);
    }
  }
}
