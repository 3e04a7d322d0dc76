package dev.floe.core.file;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The data directory of one node, held exclusively until it is closed.
///
/// Durable state: the file `floe-node.properties` says which node the directory belongs to. The
/// file `floe.lock` is locked by the process that has the directory and holds its process id; the
/// lock, not the file, is what counts, so a crashed process leaves nothing to clean up. Other files
/// in the directory are their owners' concern.
public final class NodeDirectory implements AutoCloseable {
  /// The file that is locked.
  public static final String LOCK_FILE = "floe.lock";

  /// The file that names the node.
  public static final String IDENTITY_FILE = "floe-node.properties";

  private static final int PID_BYTES_MAX = 32;

  /// Directories that this process has. A lock of POSIX belongs to the process and is lost when any
  /// descriptor of the file is closed, so a second attempt must be refused before it opens the
  /// lock file; that makes this the one mutable static that is right.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final NodeIdentity identity;
  private final FileChannel lockChannel;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private NodeDirectory(Path path, NodeIdentity identity, FileChannel lockChannel) {
    this.path = path;
    this.identity = identity;
    this.lockChannel = lockChannel;
  }

  /// Opens the directory for the node, creating it when there is none; durable when it returns.
  ///
  /// @throws FloeException `DIRECTORY_IN_USE` when another process has it, `DIRECTORY_UNUSABLE` when
  ///     it cannot be created or written, `DIRECTORY_OF_ANOTHER_NODE` when it belongs to another
  ///     cluster, role or node, `CORRUPT` or `VERSION_MISMATCH` when its identity cannot be read
  public static NodeDirectory open(Path directory, NodeIdentity identity) {
    Path path = create(directory.toAbsolutePath().normalize());
    if (!HELD.add(path)) {
      throw inUse(path, Long.toString(ProcessHandle.current().pid()));
    }
    FileChannel channel = null;
    NodeDirectory opened = null;
    try {
      channel = lock(path);
      Optional<NodeIdentity> found = identityOf(path);
      if (found.isEmpty()) {
        AtomicFile.write(path.resolve(IDENTITY_FILE), identity.encode());
      } else if (!found.get().equals(identity)) {
        throw ofAnotherNode(path, found.get(), identity);
      }
      opened = new NodeDirectory(path, identity, channel);
      return opened;
    } finally {
      if (opened == null) {
        release(path, channel);
      }
    }
  }

  /// Which node a directory belongs to; empty when to none. Takes no lock.
  ///
  /// @throws FloeException `CORRUPT`, `VERSION_MISMATCH` or `DIRECTORY_UNUSABLE`
  public static Optional<NodeIdentity> identityOf(Path directory) {
    Path file = directory.resolve(IDENTITY_FILE);
    try {
      return Optional.of(NodeIdentity.decode(Files.readAllBytes(file), file.toString()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static Path create(Path path) {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectories(path);
        Path parent = path.getParent();
        if (parent != null) {
          AtomicFile.syncDirectory(parent);
        }
      }
      return path.toRealPath();
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  private static FileChannel lock(Path path) {
    FileChannel channel = null;
    boolean isLocked = false;
    try {
      channel =
          FileChannel.open(
              path.resolve(LOCK_FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        throw inUse(path, holder(channel));
      }
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(pid), 0);
      channel.force(true);
      isLocked = true;
      return channel;
    } catch (IOException e) {
      throw unusable(path, e);
    } finally {
      if (!isLocked && channel != null) {
        closeQuietly(channel);
      }
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(PID_BYTES_MAX);
    channel.read(pid, 0);
    String text = StandardCharsets.US_ASCII.decode(pid.flip()).toString().strip();
    return text.isEmpty() ? "(unknown)" : text;
  }

  private static FloeException inUse(Path path, String holder) {
    return new FloeException(
        ErrorCode.DIRECTORY_IN_USE,
        "the directory "
            + path
            + " is in use by process "
            + holder
            + ": stop that process, or give this node another directory");
  }

  private static FloeException unusable(Path path, IOException e) {
    return new FloeException(
        ErrorCode.DIRECTORY_UNUSABLE,
        "the directory "
            + path
            + " cannot be created, read or written: "
            + IoReason.of(e)
            + "; check its owner, its permissions and that no part of the path is a file",
        e);
  }

  private static FloeException ofAnotherNode(Path path, NodeIdentity found, NodeIdentity wanted) {
    return new FloeException(
        ErrorCode.DIRECTORY_OF_ANOTHER_NODE,
        "the directory "
            + path
            + " belongs to "
            + found
            + " but this node is "
            + wanted
            + ": give each node its own directory");
  }

  /// The directory, absolute.
  public Path path() {
    return path;
  }

  /// Whose it is.
  public NodeIdentity identity() {
    return identity;
  }

  /// A file or directory in it.
  public Path resolve(String name) {
    return path.resolve(name);
  }

  /// Lets others have the directory; the second call does nothing.
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      release(path, lockChannel);
    }
  }

  private static void release(Path path, @Nullable FileChannel channel) {
    if (channel != null) {
      closeQuietly(channel);
    }
    HELD.remove(path);
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor and with it the lock are gone either way.
      LoggerFactory.getLogger(NodeDirectory.class)
          .debug("closing a lock file reported {}", e.toString());
    }
  }
}
