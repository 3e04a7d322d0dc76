package dev.floe.nof.block;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Finds out whether this process has a file open already.
///
/// Locks of files belong to the process on Linux, and closing any descriptor of a file drops all of
/// them: a second open that fails and closes would silently unlock the first. So the second open
/// must not happen at all. The kernel's own list of descriptors is asked, which needs no state of
/// ours.
final class OpenFiles {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private OpenFiles() {}

  /// @throws FloeException `DIRECTORY_IN_USE` when this process has `path` open
  static void refuseIfOpenHere(Path path) {
    if (!Files.exists(path) || !Files.isDirectory(DESCRIPTORS)) {
      return;
    }
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      Path real = path.toRealPath();
      for (Path descriptor : descriptors) {
        if (real.equals(targetOrNull(descriptor))) {
          throw inUse(path, null);
        }
      }
    } catch (IOException e) {
      throw DeviceFailures.of("open", path, e);
    }
  }

  static FloeException inUse(Path path, @Nullable Throwable cause) {
    return new FloeException(
        ErrorCode.DIRECTORY_IN_USE,
        path + " is in use by another device or process; stop that one or use another file",
        cause);
  }

  private static @Nullable Path targetOrNull(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      return null; // closed since it was listed
    }
  }
}
