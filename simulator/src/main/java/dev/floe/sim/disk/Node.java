package dev.floe.sim.disk;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a name can stand for. Names are not part of it, so a file that was removed or renamed goes
/// on for those who have it open.
sealed interface Node {
  /// A file.
  final class FileNode implements Node {
    final FileData data = new FileData();
    @Nullable SimFileLock lock;
  }

  /// A directory: its entries as seen, and as they are on the medium.
  final class DirectoryNode implements Node {
    final TreeMap<String, Node> entries = new TreeMap<>();
    final TreeMap<String, Node> durable = new TreeMap<>();
  }
}
