package dev.floe.sim.boot;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// The files of a simulation, below one mount. All paths are absolute and lie below it; names
/// follow the rules of the machine's own file system. Called only from threads of the simulation.
///
/// Every method throws what the JDK throws in its place: `NoSuchFileException`,
/// `FileAlreadyExistsException`, `NotDirectoryException`, `DirectoryNotEmptyException`, and plain
/// `IOException` with the text of the operating system when the medium fails.
public interface SimFiles {
  /// Whether a path lies below the mount.
  boolean owns(Path path);

  /// Opens a file, or a directory for reading, which can only be forced then.
  FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException;

  /// What is at a path.
  Kind kind(Path path);

  /// Length of a file; 0 of a directory.
  long size(Path path) throws IOException;

  /// The entries of a directory, sorted by name.
  List<Path> list(Path directory) throws IOException;

  void createDirectory(Path directory) throws IOException;

  /// Removes a file or an empty directory.
  void delete(Path path) throws IOException;

  /// Renames, in one step; a file or an empty directory in the way is replaced when `isReplacing`.
  void move(Path from, Path to, boolean isReplacing) throws IOException;

  /// Bytes that can still be written.
  long freeBytes(Path path);

  /// Says that code asked for something that these files cannot do, which ends the run.
  Error unsupported(String what);

  /// What can be at a path.
  enum Kind {
    MISSING,
    FILE,
    DIRECTORY
  }
}
