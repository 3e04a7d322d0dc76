package dev.floe.core.file;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Replaces a file as a whole: after a crash at any moment it has the old or the new content.
public final class AtomicFile {
  /// What is appended to the name while the new content is written; a leftover of a crash is
  /// overwritten next time.
  public static final String TEMPORARY_SUFFIX = ".tmp";

  private AtomicFile() {}

  /// Writes `bytes` to `path`; durable when it returns. One writer of a path at a time.
  ///
  /// @throws FloeException `IO_ERROR` naming the file; it then still has its old content
  public static void write(Path path, byte[] bytes) {
    Path absolute = path.toAbsolutePath();
    Path temporary = absolute.resolveSibling(absolute.getFileName() + TEMPORARY_SUFFIX);
    try {
      try (FileChannel channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer content = ByteBuffer.wrap(bytes);
        while (content.hasRemaining()) {
          channel.write(content);
        }
        channel.force(true);
      }
      Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
      Path parent = absolute.getParent();
      if (parent != null) {
        syncDirectory(parent);
      }
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "cannot write " + absolute + ": " + IoReason.of(e) + "; check free space and permissions",
          e);
    }
  }

  /// Makes the names in a directory durable: a rename or a new file is lost in a crash before.
  ///
  /// @throws IOException when the directory cannot be read or forced
  public static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
