package dev.floe.sim.boot;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/// Visits a tree of simulated files, entries of a directory by name.
final class TreeWalk {
  private final SimFiles files;
  private final FileVisitor<? super Path> visitor;

  TreeWalk(SimFiles files, FileVisitor<? super Path> visitor) {
    this.files = files;
    this.visitor = visitor;
  }

  /// Whether to go on with the next entry.
  boolean walk(Path path) throws IOException {
    SimFiles.Kind kind = files.kind(path);
    return switch (kind) {
      case MISSING ->
          goesOn(
              visitor.visitFileFailed(
                  path, new java.nio.file.NoSuchFileException(path.toString())));
      case FILE -> goesOn(visitor.visitFile(path, new Attributes(kind, files.size(path))));
      case DIRECTORY -> walkDirectory(path, kind);
    };
  }

  private boolean walkDirectory(Path path, SimFiles.Kind kind) throws IOException {
    FileVisitResult before = visitor.preVisitDirectory(path, new Attributes(kind, 0));
    if (before == FileVisitResult.SKIP_SUBTREE) {
      return true;
    }
    if (!goesOn(before)) {
      return false;
    }
    for (Path entry : files.list(path)) {
      if (!walk(entry)) {
        return false;
      }
    }
    return goesOn(visitor.postVisitDirectory(path, null));
  }

  private boolean goesOn(FileVisitResult result) {
    return switch (result) {
      case CONTINUE -> true;
      case TERMINATE -> false;
      case SKIP_SUBTREE, SKIP_SIBLINGS -> throw files.unsupported("walking a tree with " + result);
    };
  }

  private record Attributes(SimFiles.Kind kind, long size) implements BasicFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
      return FileTime.fromMillis(0);
    }

    @Override
    public FileTime lastAccessTime() {
      return FileTime.fromMillis(0);
    }

    @Override
    public FileTime creationTime() {
      return FileTime.fromMillis(0);
    }

    @Override
    public boolean isRegularFile() {
      return kind == SimFiles.Kind.FILE;
    }

    @Override
    public boolean isDirectory() {
      return kind == SimFiles.Kind.DIRECTORY;
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return false;
    }

    @Override
    public @Nullable Object fileKey() {
      return null;
    }
  }
}
