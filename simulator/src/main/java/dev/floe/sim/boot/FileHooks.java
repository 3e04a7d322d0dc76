package dev.floe.sim.boot;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The calls that the agent puts in the place of those of `java.nio.file.Files`, `java.io.File`,
/// `FileChannel.open` and `RandomAccessFile`.
///
/// Each looks at the path: below the mount of a running simulation it is answered by its
/// `SimFiles`, anywhere else the real call is made. Names and parameters are those of the replaced
/// methods; `FileCalls` of the agent lists them.
@SuppressWarnings("StreamResourceLeak")
public final class FileHooks {
  private FileHooks() {}

  private static @Nullable SimFiles of(Path path) {
    return Hooks.files(path);
  }

  private static @Nullable SimFiles of(File file) {
    return Hooks.files(file.toPath());
  }

  /// What stands before a file call that has no counterpart here.
  public static void uncovered(String call) {
    Hooks.uncovered(call);
  }

  // --- java.nio.file.Files ---

  public static boolean exists(Path path, LinkOption... options) {
    SimFiles files = of(path);
    return files == null ? Files.exists(path, options) : files.kind(path) != SimFiles.Kind.MISSING;
  }

  public static boolean isDirectory(Path path, LinkOption... options) {
    SimFiles files = of(path);
    return files == null
        ? Files.isDirectory(path, options)
        : files.kind(path) == SimFiles.Kind.DIRECTORY;
  }

  public static boolean isRegularFile(Path path, LinkOption... options) {
    SimFiles files = of(path);
    return files == null
        ? Files.isRegularFile(path, options)
        : files.kind(path) == SimFiles.Kind.FILE;
  }

  public static boolean isWritable(Path path) {
    SimFiles files = of(path);
    return files == null ? Files.isWritable(path) : files.kind(path) != SimFiles.Kind.MISSING;
  }

  public static long size(Path path) throws IOException {
    SimFiles files = of(path);
    return files == null ? Files.size(path) : files.size(path);
  }

  public static void delete(Path path) throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      Files.delete(path);
    } else {
      files.delete(path);
    }
  }

  public static boolean deleteIfExists(Path path) throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      return Files.deleteIfExists(path);
    }
    if (files.kind(path) == SimFiles.Kind.MISSING) {
      return false;
    }
    files.delete(path);
    return true;
  }

  public static Path createDirectories(Path path, FileAttribute<?>... attributes)
      throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      return Files.createDirectories(path, attributes);
    }
    switch (files.kind(path)) {
      case DIRECTORY -> {}
      case FILE -> throw new FileAlreadyExistsException(path.toString());
      case MISSING -> {
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null && files.owns(parent)) {
          var _ = createDirectories(parent);
        }
        files.createDirectory(path);
      }
    }
    return path;
  }

  public static Path createFile(Path path, FileAttribute<?>... attributes) throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      return Files.createFile(path, attributes);
    }
    files.open(path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)).close();
    return path;
  }

  public static Path move(Path from, Path to, CopyOption... options) throws IOException {
    SimFiles files = of(from);
    SimFiles target = of(to);
    if (files == null) {
      if (target != null) {
        throw target.unsupported("a move from " + from);
      }
      return Files.move(from, to, options);
    }
    if (target == null) {
      throw files.unsupported("a move to " + to);
    }
    List<CopyOption> wanted = List.of(options);
    files.move(
        from,
        to,
        wanted.contains(StandardCopyOption.ATOMIC_MOVE)
            || wanted.contains(StandardCopyOption.REPLACE_EXISTING));
    return to;
  }

  public static String readString(Path path, Charset charset) throws IOException {
    return new String(readAllBytes(path), charset);
  }

  public static byte[] readAllBytes(Path path) throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      return Files.readAllBytes(path);
    }
    try (FileChannel channel = files.open(path, Set.of(StandardOpenOption.READ))) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      return java.util.Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  public static BufferedReader newBufferedReader(Path path) throws IOException {
    return of(path) == null
        ? Files.newBufferedReader(path)
        : new BufferedReader(
            new InputStreamReader(newInputStream(path), StandardCharsets.UTF_8.newDecoder()));
  }

  public static InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    SimFiles files = of(path);
    return files == null
        ? Files.newInputStream(path, options)
        : Channels.newInputStream(files.open(path, Set.of(StandardOpenOption.READ)));
  }

  public static OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      return Files.newOutputStream(path, options);
    }
    Set<OpenOption> all = new HashSet<>(List.of(options));
    if (all.isEmpty()) {
      all.add(StandardOpenOption.CREATE);
      all.add(StandardOpenOption.TRUNCATE_EXISTING);
    }
    all.add(StandardOpenOption.WRITE);
    return Channels.newOutputStream(files.open(path, all));
  }

  public static Stream<Path> list(Path path) throws IOException {
    SimFiles files = of(path);
    return files == null ? Files.list(path) : files.list(path).stream();
  }

  public static DirectoryStream<Path> newDirectoryStream(Path path) throws IOException {
    SimFiles files = of(path);
    return files == null ? Files.newDirectoryStream(path) : new Listing(files.list(path));
  }

  public static DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      return Files.newDirectoryStream(path, filter);
    }
    List<Path> kept = new java.util.ArrayList<>();
    for (Path entry : files.list(path)) {
      if (filter.accept(entry)) {
        kept.add(entry);
      }
    }
    return new Listing(kept);
  }

  public static DirectoryStream<Path> newDirectoryStream(Path path, String glob)
      throws IOException {
    if (of(path) == null) {
      return Files.newDirectoryStream(path, glob);
    }
    PathMatcher matcher = path.getFileSystem().getPathMatcher("glob:" + glob);
    return newDirectoryStream(path, entry -> matcher.matches(entry.getFileName()));
  }

  public static Path walkFileTree(Path start, java.nio.file.FileVisitor<? super Path> visitor)
      throws IOException {
    SimFiles files = of(start);
    if (files == null) {
      return Files.walkFileTree(start, visitor);
    }
    new TreeWalk(files, visitor).walk(start);
    return start;
  }

  // --- java.nio.file.Path, FileChannel, RandomAccessFile ---

  public static Path toRealPath(Path path, LinkOption... options) throws IOException {
    SimFiles files = of(path);
    if (files == null) {
      return path.toRealPath(options);
    }
    if (files.kind(path) == SimFiles.Kind.MISSING) {
      throw new NoSuchFileException(path.toString());
    }
    return path.toAbsolutePath().normalize();
  }

  public static FileChannel open(Path path, OpenOption... options) throws IOException {
    SimFiles files = of(path);
    return files == null ? FileChannel.open(path, options) : files.open(path, Set.of(options));
  }

  public static FileChannel getChannel(RandomAccessFile file) {
    FileChannel simulated = file instanceof SimRandomAccessFile s ? s.simulated() : null;
    return simulated == null ? file.getChannel() : simulated;
  }

  // --- java.io.File ---

  public static boolean exists(File file) {
    SimFiles files = of(file);
    return files == null ? file.exists() : files.kind(file.toPath()) != SimFiles.Kind.MISSING;
  }

  public static boolean isDirectory(File file) {
    SimFiles files = of(file);
    return files == null
        ? file.isDirectory()
        : files.kind(file.toPath()) == SimFiles.Kind.DIRECTORY;
  }

  public static boolean isFile(File file) {
    SimFiles files = of(file);
    return files == null ? file.isFile() : files.kind(file.toPath()) == SimFiles.Kind.FILE;
  }

  public static long length(File file) {
    SimFiles files = of(file);
    if (files == null) {
      return file.length();
    }
    try {
      return files.size(file.toPath());
    } catch (IOException e) {
      return 0;
    }
  }

  public static File @Nullable [] listFiles(File file) {
    SimFiles files = of(file);
    if (files == null) {
      return file.listFiles();
    }
    try {
      return files.list(file.toPath()).stream().map(Path::toFile).toArray(File[]::new);
    } catch (IOException e) {
      return null;
    }
  }

  public static boolean delete(File file) {
    SimFiles files = of(file);
    if (files == null) {
      return file.delete();
    }
    try {
      files.delete(file.toPath());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// A simulated process never exits in order.
  public static void deleteOnExit(File file) {
    if (of(file) == null) {
      file.deleteOnExit();
    }
  }

  public static String getCanonicalPath(File file) throws IOException {
    return of(file) == null
        ? file.getCanonicalPath()
        : file.toPath().toAbsolutePath().normalize().toString();
  }

  public static long getFreeSpace(File file) {
    SimFiles files = of(file);
    return files == null ? file.getFreeSpace() : files.freeBytes(file.toPath());
  }

  private static final class Listing implements DirectoryStream<Path> {
    private final List<Path> entries;

    Listing(List<Path> entries) {
      this.entries = entries;
    }

    @Override
    public Iterator<Path> iterator() {
      return entries.iterator();
    }

    @Override
    public void close() {}
  }
}
