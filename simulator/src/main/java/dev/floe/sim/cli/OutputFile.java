package dev.floe.sim.cli;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file that people asked to have. What can be known before a run is said before it.
///
/// @param option that names it, for errors
/// @param path of the file
record OutputFile(String option, Path path) {
  /// @return null when none was asked for
  /// @throws IllegalArgumentException when it is a folder, or in none, or may not be written
  static @Nullable OutputFile orNull(String option, @Nullable Path path) {
    if (path == null) {
      return null;
    }
    String flaw = flaw(path);
    if (!flaw.isEmpty()) {
      throw new IllegalArgumentException(
          option
              + " "
              + path
              + " cannot be written: "
              + flaw
              + "; name a file in a folder of yours");
    }
    return new OutputFile(option, path);
  }

  private static String flaw(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (path.toString().isEmpty() || Files.isDirectory(path) || folder == null) {
      return "it is a folder";
    }
    if (Files.exists(path)) {
      return Files.isWritable(path) ? "" : "no permission for the file";
    }
    if (!Files.isDirectory(folder)) {
      return "there is no folder " + folder;
    }
    return Files.isWritable(folder) ? "" : "no permission for the folder " + folder;
  }

  /// @throws FloeException `IO_ERROR` when it cannot be written after all
  void write(String text) {
    try {
      Files.writeString(path, text);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// @throws FloeException `IO_ERROR` when it cannot be opened
  BufferedWriter writer() {
    try {
      return Files.newBufferedWriter(path);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  FloeException lost(IOException e) {
    return new FloeException(
        ErrorCode.IO_ERROR, option + " " + path + " could not be written: " + IoReason.of(e), e);
  }
}
