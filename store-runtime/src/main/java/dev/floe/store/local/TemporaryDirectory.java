package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// A folder that goes with everything in it when it is closed.
public final class TemporaryDirectory implements AutoCloseable {
  private final Path path;

  /// Makes a new folder for temporary files.
  ///
  /// @throws FloeException `DIRECTORY_UNUSABLE` when that fails
  public TemporaryDirectory(String prefix) {
    try {
      path = Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.DIRECTORY_UNUSABLE,
          "no temporary folder can be made in "
              + System.getProperty("java.io.tmpdir")
              + ": "
              + IoReason.of(e),
          e);
    }
  }

  public Path path() {
    return path;
  }

  /// Removes it. A file that vanishes meanwhile is fine; one that cannot be removed is an error.
  @Override
  public void close() {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(path)) {
      for (Path entry : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    } catch (NoSuchFileException e) {
      // Somebody else removed a part of it: what is left goes now.
      close();
    } catch (IOException | UncheckedIOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR, path + " cannot be removed: " + e.getMessage(), e);
    }
  }
}
