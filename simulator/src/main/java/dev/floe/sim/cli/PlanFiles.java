package dev.floe.sim.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes what people asked to have in a file.
final class PlanFiles {
  private PlanFiles() {}

  /// @throws IllegalArgumentException when the file cannot be written
  static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          file + " cannot be written (" + e + "); name a file in a folder that exists", e);
    }
  }
}
