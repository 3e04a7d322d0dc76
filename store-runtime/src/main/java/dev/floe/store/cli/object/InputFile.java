package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The value that `put` was given, open and of a size that is known.
///
/// A file is read where it is. What comes through a pipe goes to a temporary file first, as do files
/// that hide their size, such as those in `/proc`.
///
/// @param channel all bytes
/// @param isWaitedFor whether they had to come through a pipe, which took its time
record InputFile(FileChannel channel, boolean isWaitedFor) {
  private static final String STANDARD_INPUT = "-";

  /// What the launcher says when it found standard input closed.
  private static final String STDIN_CLOSED_PROPERTY = "floe.stdin.closed";

  private static final int TYPE_MASK = 0170000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final int BLOCK_DEVICE = 0060000;
  private static final int SOCKET = 0140000;

  /// Opens a file by its name, or standard input, which may take as long as it likes.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` for what cannot be read or need not end,
  ///     `DEADLINE_EXCEEDED` for a pipe that has not ended by the deadline
  static InputFile open(String file, InputStream standardInput, Deadline deadline)
      throws IOException {
    if (file.equals(STANDARD_INPUT)) {
      if (Boolean.getBoolean(STDIN_CLOSED_PROPERTY)) {
        throw invalid("standard input is closed; pipe the value in, or name a file");
      }
      return new InputFile(Spool.ofProcess().take(standardInput), false);
    }
    Path path = LocalPath.of(file);
    check(path);
    if (Files.isRegularFile(path) && Files.size(path) > 0) {
      return new InputFile(FileChannel.open(path, StandardOpenOption.READ), false);
    }
    return new InputFile(
        BlockingCall.within(
            deadline,
            () -> {
              try (InputStream pipe = Files.newInputStream(path)) {
                return Spool.ofProcess().take(pipe);
              }
            },
            () ->
                new FloeException(
                    ErrorCode.DEADLINE_EXCEEDED,
                    path
                        + " did not end within --timeout; 'floe put KEY - <"
                        + path
                        + "' waits for its end")),
        true);
  }

  private static void check(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw invalid("there is no file " + path);
    }
    if (Files.isDirectory(path)) {
      throw invalid(path + " is a directory; name a file, or pack it with tar");
    }
    if (!Files.isReadable(path)) {
      throw invalid(path + " cannot be read; change its permissions");
    }
    switch (type(path)) {
      case CHARACTER_DEVICE, BLOCK_DEVICE ->
          throw invalid(
              path + " is a device, which need not end; 'floe put KEY - <" + path + "' reads it");
      case SOCKET -> throw invalid(path + " is a socket; pipe its bytes into 'floe put KEY -'");
      default -> {}
    }
  }

  private static int type(Path path) throws IOException {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("unix")) {
      return 0;
    }
    return (Integer) Files.getAttribute(path, "unix:mode") & TYPE_MASK;
  }

  private static FloeException invalid(String message) {
    return new FloeException(ErrorCode.INVALID_ARGUMENT, message);
  }
}
