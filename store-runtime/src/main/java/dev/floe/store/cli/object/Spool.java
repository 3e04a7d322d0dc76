package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.store.config.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps what comes through a pipe in a temporary file, because a put has to know its size first.
///
/// A pipe need not end, so the file may grow no further than a value may, and leaves room for others on
/// its file system.
public final class Spool {
  private static final int STEP_BYTES = 256 * 1024;

  /// How often the free space is asked.
  private static final long LOOK_BYTES = 16L * 1024 * 1024;

  /// What is left for others.
  static final long RESERVE_BYTES = 64L * 1024 * 1024;

  private final Path folder;
  private final Room room;
  private final long bytesMax;
  private final Opening opening;

  Spool(Path folder, Room room, long bytesMax) {
    this(folder, room, bytesMax, Spool::openToVanish);
  }

  Spool(Path folder, Room room, long bytesMax, Opening opening) {
    this.folder = folder;
    this.room = room;
    this.bytesMax = bytesMax;
    this.opening = opening;
  }

  /// Bytes that a file system still takes.
  @FunctionalInterface
  interface Room {
    long usableBytes() throws IOException;
  }

  /// Opens a new file for reading and writing.
  @FunctionalInterface
  interface Opening {
    FileChannel open(Path file) throws IOException;
  }

  /// On Linux the name goes at once and the space with the process, however it ends.
  private static FileChannel openToVanish(Path file) throws IOException {
    return FileChannel.open(
        file,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  /// A spool in the folder for temporary files.
  static Spool ofProcess() {
    Path folder = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    return new Spool(
        folder, () -> Files.getFileStore(folder).getUsableSpace(), Limits.OBJECT_BYTES_MAX);
  }

  /// A file with everything from `in`, which goes when it is closed.
  ///
  /// @throws FloeException `TOO_LARGE` above the limit of a value, `IO_ERROR` when the file system has
  ///     no more room for it; nothing is left then
  FileChannel take(InputStream in) throws IOException {
    FileChannel channel = create();
    boolean isComplete = false;
    try {
      copy(in, channel);
      isComplete = true;
      return channel;
    } finally {
      if (!isComplete) {
        channel.close();
      }
    }
  }

  private FileChannel create() {
    try {
      Path file = Files.createTempFile(folder, "floe-put-", ".bytes");
      boolean isOpen = false;
      try {
        FileChannel channel = opening.open(file);
        isOpen = true;
        return channel;
      } finally {
        if (!isOpen) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw doesNotFit("no file can be made there: " + e, e);
    }
  }

  private void copy(InputStream in, FileChannel channel) throws IOException {
    byte[] step = new byte[STEP_BYTES];
    long taken = 0;
    long nextLook = 0;
    for (int count = in.read(step); count >= 0; count = in.read(step)) {
      if (taken + count > bytesMax) {
        throw new FloeException(
            ErrorCode.TOO_LARGE,
            "the input has more than "
                + bytesMax
                + " bytes, which is the limit of a value;"
                + " store it in parts under several keys");
      }
      if (taken + count > nextLook) {
        nextLook = taken + roomAfter(taken);
      }
      ByteBuffer bytes = ByteBuffer.wrap(step, 0, count);
      write(bytes, channel, taken);
      taken += count;
    }
  }

  private void write(ByteBuffer bytes, FileChannel channel, long taken) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw doesNotFit(
          ByteSize.rounded(taken) + " came, and then writing failed: " + e.getMessage(), e);
    }
  }

  /// Bytes that may be taken before the next look; at least one step.
  private long roomAfter(long taken) throws IOException {
    long usable = room.usableBytes() - RESERVE_BYTES;
    if (usable < STEP_BYTES) {
      throw doesNotFit(
          ByteSize.rounded(taken)
              + " came, and only "
              + ByteSize.rounded(Math.max(0, usable + RESERVE_BYTES))
              + " are free, of which "
              + ByteSize.rounded(RESERVE_BYTES)
              + " are kept for others",
          null);
    }
    return Math.min(usable, LOOK_BYTES);
  }

  private FloeException doesNotFit(String why, @Nullable IOException cause) {
    return new FloeException(
        ErrorCode.IO_ERROR,
        "the input does not fit into "
            + folder
            + ": "
            + why
            + "; put it as a file, or choose a larger folder with"
            + " FLOE_JAVA_OPTS=-Djava.io.tmpdir=FOLDER",
        Map.of(),
        cause);
  }
}
