package dev.floe.store.segment;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// Where the memory of segments comes from.
///
/// Memory from an arena is cleared and so committed when it is made, which takes about a second for
/// every 3 GiB. A file without name in a memory file system appears at once whatever its size, its
/// pages are cleared at first touch, and it does not count against `-XX:MaxDirectMemorySize`; but the
/// file system must have room, and keep it. `preferred` therefore takes the file for large segments
/// if there is room, and the arena otherwise.
public interface MemorySource {
  /// Zeroed memory that starts at a multiple of 4096 and lives as long as the arena.
  ///
  /// @throws dev.floe.core.error.FloeException `INVALID_CONFIG` when there is not as much
  MemorySegment allocate(long bytes, Arena arena);

  /// Whether the memory counts against `-XX:MaxDirectMemorySize`.
  boolean isDirect();

  /// Memory of the process itself.
  static MemorySource ofProcess() {
    return new ProcessMemorySource();
  }

  /// Memory of a file system that lies in memory, such as `/dev/shm`.
  static MemorySource ofFileSystem(Path folder) {
    return new FileMemorySource(folder);
  }

  /// The better source for segments of `totalBytes` together on this machine.
  static MemorySource preferred(long totalBytes) {
    FileMemorySource shared = new FileMemorySource(Path.of("/dev/shm"));
    boolean isLarge = totalBytes > 256L * 1024 * 1024;
    return isLarge && shared.hasRoom(totalBytes) ? shared : ofProcess();
  }
}
