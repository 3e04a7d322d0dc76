package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.meta.model.ObjectKey;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The files that a demonstration stores, each with its key.
///
/// @param files in the order of their keys; at least one
/// @param totalBytes sum of their sizes
public record SampleFiles(List<SampleFile> files, long totalBytes) {
  /// Files of one demonstration: enough for any folder one would show, and a bound for a mistyped
  /// `/`.
  public static final int FILES_MAX = 20_000;

  public SampleFiles {
    files = List.copyOf(files);
  }

  /// A file and the key it is stored under: its path below the folder that was named.
  public record SampleFile(ObjectKey key, Path path, long sizeBytes) {}

  /// Looks at a file, or at all regular files below a folder; symbolic links below it are left out.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` naming the path that does not exist, holds no file, too
  ///     many, or one that cannot be read
  public static SampleFiles below(Path root) {
    return below(List.of(root), root);
  }

  /// Looks at several files and folders; those that do not exist are left out.
  ///
  /// @param base what their keys are relative to
  public static SampleFiles ofExisting(List<Path> roots, Path base) {
    return below(roots.stream().filter(Files::exists).toList(), base);
  }

  private static SampleFiles below(List<Path> roots, Path base) {
    List<SampleFile> files = new ArrayList<>();
    long total = 0;
    for (Path root : roots) {
      for (Path path : regularFiles(root)) {
        if (files.size() == FILES_MAX) {
          throw invalid(base + " holds more than " + FILES_MAX + " files; name a smaller folder");
        }
        SampleFile file = look(path, base);
        files.add(file);
        total += file.sizeBytes();
      }
    }
    if (files.isEmpty()) {
      throw invalid(base + " holds no file; name a folder with files in it");
    }
    files.sort(Comparator.comparing(SampleFile::key));
    return new SampleFiles(files, total);
  }

  private static List<Path> regularFiles(Path root) {
    if (!Files.exists(root)) {
      throw invalid(root + " does not exist; name a file or a folder");
    }
    try (Stream<Path> tree = Files.walk(root, new FileVisitOption[0])) {
      return tree.filter(path -> Files.isRegularFile(path, linksBelow(root, path)))
          .limit(FILES_MAX + 1L)
          .toList();
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, root + " cannot be listed: " + e.getMessage(), e);
    }
  }

  private static LinkOption[] linksBelow(Path root, Path path) {
    return path.equals(root) ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
  }

  private static SampleFile look(Path path, Path base) {
    if (!Files.isReadable(path)) {
      throw invalid(path + " cannot be read; change its permissions or leave it out");
    }
    Path relative = path.equals(base) ? path.getFileName() : base.relativize(path);
    String key = relative.toString().replace(relative.getFileSystem().getSeparator(), "/");
    try {
      return new SampleFile(new ObjectKey(key), path, Files.size(path));
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, path + " cannot be read: " + IoReason.of(e), e);
    }
  }

  private static FloeException invalid(String message) {
    return new FloeException(ErrorCode.INVALID_ARGUMENT, message);
  }
}
