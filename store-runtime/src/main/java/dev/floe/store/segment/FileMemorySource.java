package dev.floe.store.segment;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Memory mapped from a file that has lost its name, so that nothing is left however the process
/// ends.
final class FileMemorySource implements MemorySource {
  private final Path folder;

  FileMemorySource(Path folder) {
    this.folder = folder;
  }

  /// Whether the file system takes `bytes` more and keeps an eighth of that for others.
  boolean hasRoom(long bytes) {
    try {
      return Files.isWritable(folder)
          && Files.getFileStore(folder).getUsableSpace() - bytes / 8 >= bytes;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public MemorySegment allocate(long bytes, Arena arena) {
    try {
      long usable = Files.getFileStore(folder).getUsableSpace();
      if (bytes > usable) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "a segment of "
                + bytes
                + " bytes was asked, but "
                + folder
                + " has room for "
                + usable
                + "; make it smaller or give the file system more room");
      }
      Path file = Files.createTempFile(folder, "floe-segment-", ".mem");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.DIRECTORY_UNUSABLE,
          "a segment of "
              + bytes
              + " bytes could not be mapped in "
              + folder
              + ": "
              + IoReason.of(e),
          e);
    }
  }

  @Override
  public boolean isDirect() {
    return false;
  }
}
