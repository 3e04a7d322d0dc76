package dev.floe.meta.ratis.storage;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The snapshot files of one node: `snapshot.<term>_<index>` and beside each its `.md5`.
///
/// An empty file `.durable` beside a snapshot says that it was whole on the medium. It is made after
/// that and stays when the snapshot is put aside, so a later start knows how far this master once
/// was. A snapshot that Ratis installs gets it when it was forced and read; one that a loss of power
/// left half written has none.
///
/// A file under its final name is whole: it is written under a temporary name, forced, its MD5 is
/// stored, then it is renamed and the folder is forced. Durable state.
public final class SnapshotFiles implements StateMachineStorage {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotFiles.class);
  private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");
  private static final String MD5_SUFFIX = ".md5";
  private static final String DURABLE_SUFFIX = ".durable";
  private static final String TEMPORARY_PREFIX = "writing.";
  private static final int READ_BYTES = 64 * 1024;

  private volatile @Nullable Path directory;
  private volatile @Nullable SingleFileSnapshotInfo latest;

  @Override
  public void init(RaftStorage storage) throws IOException {
    Path dir = storage.getStorageDir().getStateMachineDir().toPath();
    Files.createDirectories(dir);
    directory = dir;
    for (Path leftover : DirectoryListing.of(dir, TEMPORARY_PREFIX + "*")) {
      Files.deleteIfExists(leftover);
    }
  }

  /// Reads the newest snapshot that is whole, and makes it the latest. One whose bytes are damaged is
  /// put aside under the suffix `.corrupt`. One that cannot be read just now is not damaged: it
  /// stays, and nothing older takes its place.
  ///
  /// @return null when there is none
  /// @throws FloeException `VERSION_MISMATCH` when another release wrote it; `IO_ERROR` naming the
  ///     file and the reason when it cannot be read or put aside
  public <T> @Nullable Loaded<T> loadNewest(Loader<T> loader) throws IOException {
    for (Snapshot snapshot : newestFirst()) {
      try {
        MD5Hash md5 = verify(snapshot.path());
        T value = loader.load(snapshot.path());
        latest = info(snapshot, md5);
        return new Loaded<>(snapshot.termIndex(), value);
      } catch (FloeException e) {
        if (e.code() != ErrorCode.CORRUPT) {
          throw e;
        }
        putAside(snapshot.path(), e);
      } catch (IOException e) {
        throw unreadable(snapshot.path(), e);
      }
    }
    latest = null;
    return null;
  }

  private static void putAside(Path path, FloeException damage) {
    LOG.warn("snapshot {} is damaged and is put aside; an older one is tried", path, damage);
    try {
      Path aside = path.resolveSibling(path.getFileName() + ".corrupt");
      Files.move(path, aside, StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(md5Of(path));
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "snapshot "
              + path
              + " is damaged ("
              + damage.getMessage()
              + ") and cannot be put aside: "
              + IoReason.of(e)
              + "; move it and its .md5 away by hand",
          e);
    }
  }

  private static FloeException unreadable(Path path, IOException e) {
    return new FloeException(
        ErrorCode.IO_ERROR,
        "snapshot "
            + path
            + " cannot be read: "
            + IoReason.of(e)
            + "; check permissions, the limit of open files and the disk, then start again; nothing"
            + " was changed",
        e);
  }

  private static MD5Hash verify(Path path) throws IOException {
    String stored;
    try {
      stored = Files.readString(md5Of(path), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw damaged(path, "its .md5 file is missing", e);
    }
    MD5Hash real = md5(path);
    if (!stored.startsWith(real + " ")) {
      throw damaged(path, "its MD5 is " + real + ", stored is '" + stored.strip() + "'", null);
    }
    return real;
  }

  /// Reads through a stream: in a mapped file an error of the disk would be no exception but an
  /// error of the virtual machine.
  private static MD5Hash md5(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      byte[] buffer = new byte[READ_BYTES];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
      return MD5Hash.newInstance(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  private static FloeException damaged(Path path, String how, @Nullable Exception cause) {
    return new FloeException(ErrorCode.CORRUPT, "snapshot " + path + ": " + how, cause);
  }

  /// Writes a snapshot; when this returns it is durable and the latest.
  ///
  /// @throws NoSuchFileException when another snapshot was installed meanwhile, which replaces the
  ///     folder
  public void write(TermIndex at, Writer writer) throws IOException {
    Path dir = checkedDirectory();
    String name = "snapshot." + at.getTerm() + "_" + at.getIndex();
    Path temporary = dir.resolve(TEMPORARY_PREFIX + name);
    Path target = dir.resolve(name);
    try {
      try (FileChannel channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        writer.write(channel);
        channel.force(true);
      }
      MD5Hash md5 = MD5FileUtil.computeMd5ForFile(temporary.toFile());
      MD5FileUtil.saveMD5File(target.toFile(), md5);
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      forceDirectory(dir);
      advanceLatest(info(new Snapshot(target, at), md5));
      markDurable(dir, target);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  private synchronized void advanceLatest(SingleFileSnapshotInfo candidate) {
    SingleFileSnapshotInfo now = latest;
    if (now == null || candidate.getIndex() > now.getIndex()) {
      latest = candidate;
    }
  }

  /// Forces files and folder after Ratis has put an installed snapshot in place.
  public void forceInstalled() throws IOException {
    Path dir = checkedDirectory();
    for (Snapshot snapshot : newestFirst()) {
      try (FileChannel channel = FileChannel.open(snapshot.path(), StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
    forceDirectory(dir);
    forceDirectory(dir.resolve(".."));
  }

  /// Notes that the latest snapshot, which was forced and read, is durable.
  public void markDurable() throws IOException {
    SingleFileSnapshotInfo info = latest;
    if (info != null) {
      markDurable(checkedDirectory(), info.getFile().getPath());
    }
  }

  private static void markDurable(Path dir, Path snapshot) throws IOException {
    Path mark = snapshot.resolveSibling(snapshot.getFileName() + DURABLE_SUFFIX);
    try (FileChannel channel =
        FileChannel.open(mark, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      channel.force(true);
    }
    forceDirectory(dir);
  }

  /// How far snapshots reached that were durable, whether they can be read today or not; -1 for
  /// none.
  public long durableIndex() throws IOException {
    long index = -1;
    for (Path mark : DirectoryListing.of(checkedDirectory(), "snapshot.*" + DURABLE_SUFFIX)) {
      index = Math.max(index, indexOf(mark));
    }
    return index;
  }

  private static long indexOf(Path mark) {
    String name = mark.getFileName().toString();
    Matcher snapshot = NAME.matcher(name.substring(0, name.length() - DURABLE_SUFFIX.length()));
    return snapshot.matches() ? Long.parseLong(snapshot.group(2)) : -1;
  }

  @Override
  public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
    return latest;
  }

  /// The index of the latest durable snapshot, -1 for none.
  public long latestIndex() {
    SingleFileSnapshotInfo info = latest;
    return info == null ? -1 : info.getIndex();
  }

  /// The index of the newest snapshot that has a file, readable or not; -1 for none.
  public long newestIndexOnDisk() throws IOException {
    List<Snapshot> all = newestFirst();
    return all.isEmpty() ? -1 : all.getFirst().termIndex().getIndex();
  }

  @Override
  public void format() {}

  @Override
  public void cleanupOldSnapshots(@Nullable SnapshotRetentionPolicy policy) throws IOException {
    int retained = policy == null ? -1 : policy.getNumSnapshotsRetained();
    if (retained <= 0 || directory == null) {
      return;
    }
    List<Snapshot> all = newestFirst();
    for (Snapshot old : all.subList(Math.min(retained, all.size()), all.size())) {
      LOG.debug("deleting old snapshot {}", old.path());
      Files.deleteIfExists(old.path());
      Files.deleteIfExists(md5Of(old.path()));
    }
    // The newest one says all.
    long newest = durableIndex();
    for (Path mark : DirectoryListing.of(checkedDirectory(), "snapshot.*" + DURABLE_SUFFIX)) {
      if (indexOf(mark) < newest) {
        Files.deleteIfExists(mark);
      }
    }
  }

  private List<Snapshot> newestFirst() throws IOException {
    List<Snapshot> found = new ArrayList<>();
    for (Path file : DirectoryListing.of(checkedDirectory(), "snapshot.*")) {
      Matcher name = NAME.matcher(file.getFileName().toString());
      if (name.matches()) {
        found.add(
            new Snapshot(
                file,
                TermIndex.valueOf(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)))));
      }
    }
    found.sort(Comparator.comparingLong((Snapshot s) -> s.termIndex().getIndex()).reversed());
    return found;
  }

  private Path checkedDirectory() throws IOException {
    Path dir = directory;
    if (dir == null) {
      throw new IOException("the snapshot folder is not open yet");
    }
    return dir;
  }

  private static Path md5Of(Path file) {
    return file.resolveSibling(file.getFileName() + MD5_SUFFIX);
  }

  private static SingleFileSnapshotInfo info(Snapshot snapshot, MD5Hash md5) {
    return new SingleFileSnapshotInfo(new FileInfo(snapshot.path(), md5), snapshot.termIndex());
  }

  /// Makes renames and deletions in a folder durable.
  static void forceDirectory(Path dir) throws IOException {
    try (FileChannel channel = FileChannel.open(dir, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private record Snapshot(Path path, TermIndex termIndex) {}

  /// A snapshot that was read.
  public record Loaded<T>(TermIndex termIndex, T value) {}

  /// Reads a snapshot file.
  @FunctionalInterface
  public interface Loader<T> {
    /// Reads it.
    T load(Path file) throws IOException;
  }

  /// Writes a snapshot's bytes.
  @FunctionalInterface
  public interface Writer {
    /// Writes them all.
    void write(FileChannel channel) throws IOException;
  }
}
