package dev.floe.sim.disk;

import dev.floe.sim.boot.SimFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// All disks of a run below one path. Each life of a process sees its machine's disk under a name
/// of its own, so that what an earlier life left running cannot reach it.
public final class DiskMount implements SimFiles {
  private final Path root;
  private final Consumer<Error> failures;
  private final Map<String, Place> places = new HashMap<>();

  private record Place(SimDisk disk, int life) {}

  private record Located(SimDisk disk, Path inDisk) {}

  /// @param root absolute and nowhere on the machine, another one for each run
  /// @param failures told when code does what simulated files cannot
  public DiskMount(Path root, Consumer<Error> failures) {
    this.root = root.toAbsolutePath().normalize();
    this.failures = failures;
  }

  /// Makes a disk visible to the next life of its machine.
  ///
  /// @param name not used before in this run
  /// @return where
  public Path attach(String name, SimDisk disk) {
    if (places.put(name, new Place(disk, disk.lives())) != null) {
      throw new IllegalArgumentException("there is a disk at " + name + " already");
    }
    return root.resolve(name);
  }

  @Override
  public boolean owns(Path path) {
    return path.startsWith(root) || (!path.isAbsolute() && path.toAbsolutePath().startsWith(root));
  }

  private Located locate(Path path) throws IOException {
    Path relative = root.relativize(path.toAbsolutePath().normalize());
    Place place = places.get(relative.getName(0).toString());
    if (place == null || place.life() != place.disk().lives()) {
      throw new IOException(path + " belongs to a simulated process that is gone");
    }
    int names = relative.getNameCount();
    return new Located(place.disk(), names == 1 ? Path.of("") : relative.subpath(1, names));
  }

  @Override
  public FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
    Located at = locate(path);
    return at.disk().open(at.inDisk(), options);
  }

  @Override
  public Kind kind(Path path) {
    Located at;
    try {
      at = locate(path);
    } catch (IOException e) {
      return Kind.MISSING;
    }
    return switch (at.disk().find(at.inDisk())) {
      case null -> Kind.MISSING;
      case Node.FileNode _ -> Kind.FILE;
      case Node.DirectoryNode _ -> Kind.DIRECTORY;
    };
  }

  @Override
  public long size(Path path) throws IOException {
    Located at = locate(path);
    return switch (at.disk().find(at.inDisk())) {
      case null -> throw new java.nio.file.NoSuchFileException(path.toString());
      case Node.FileNode file -> file.data.size();
      case Node.DirectoryNode _ -> 0;
    };
  }

  @Override
  public List<Path> list(Path directory) throws IOException {
    Located at = locate(directory);
    return at.disk().list(at.inDisk()).stream().map(directory::resolve).toList();
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    Located at = locate(directory);
    at.disk().createDirectory(at.inDisk());
  }

  @Override
  public void delete(Path path) throws IOException {
    Located at = locate(path);
    at.disk().delete(at.inDisk());
  }

  @Override
  public void move(Path from, Path to, boolean isReplacing) throws IOException {
    Located source = locate(from);
    Located target = locate(to);
    if (source.disk() != target.disk()) {
      throw unsupported("a move from " + from + " to " + to);
    }
    source.disk().move(source.inDisk(), target.inDisk(), isReplacing);
  }

  @Override
  public long freeBytes(Path path) {
    try {
      return locate(path).disk().freeBytes();
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public Error unsupported(String what) {
    Error error = new AssertionError("UNCOVERED: simulated files do not have " + what);
    failures.accept(error);
    return error;
  }
}
