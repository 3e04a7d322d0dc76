package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Reads the path of a file from a command line.
final class LocalPath {
  private LocalPath() {}

  /// The path that a text names.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` when it is empty or no path of this system
  static Path of(String text) {
    if (text.isEmpty()) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "the path of the file is empty; name a file, or - for a pipe");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, "'" + text + "' is no path: " + e.getReason(), e);
    }
  }
}
