package dev.floe.meta.ratis.storage;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What is in a folder, as a list: a disk that fails while the folder is read is an `IOException`
/// like any other, not an unchecked one that nobody expects.
public final class DirectoryListing {
  private DirectoryListing() {}

  /// The entries whose names match a glob, in the order of their names.
  public static List<Path> of(Path directory, String glob) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
      return sorted(entries);
    }
  }

  static List<Path> sorted(Iterable<Path> entries) throws IOException {
    List<Path> list = new ArrayList<>();
    try {
      entries.forEach(list::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    list.sort(null);
    return list;
  }
}
