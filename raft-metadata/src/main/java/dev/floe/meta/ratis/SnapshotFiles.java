package dev.floe.meta.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
/// A file under its final name is whole: it is written under a temporary name, forced, its MD5 is
/// stored, then it is renamed and the folder is forced. Durable state.
final class SnapshotFiles implements StateMachineStorage {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotFiles.class);
  private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");
  private static final String MD5_SUFFIX = ".md5";
  private static final String TEMPORARY_PREFIX = "writing.";

  private volatile @Nullable Path directory;
  private volatile @Nullable SingleFileSnapshotInfo latest;

  @Override
  public void init(RaftStorage storage) throws IOException {
    Path dir = storage.getStorageDir().getStateMachineDir().toPath();
    Files.createDirectories(dir);
    directory = dir;
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(dir, TEMPORARY_PREFIX + "*")) {
      for (Path leftover : leftovers) {
        Files.deleteIfExists(leftover);
      }
    }
  }

  /// Reads the newest snapshot that is whole, and makes it the latest. One that is not is put aside
  /// under the suffix `.corrupt`.
  ///
  /// @return null when there is none
  /// @throws FloeException `VERSION_MISMATCH` when another release wrote it: it stays, and the state
  ///     must not fall back to an older one
  <T> @Nullable Loaded<T> loadNewest(Loader<T> loader) throws IOException {
    for (Snapshot snapshot : newestFirst()) {
      try {
        MD5Hash md5 = verify(snapshot.path());
        T value = loader.load(snapshot.path());
        latest = info(snapshot, md5);
        return new Loaded<>(snapshot.termIndex(), value);
      } catch (IOException | RuntimeException e) {
        if (e instanceof FloeException floe && floe.code() == ErrorCode.VERSION_MISMATCH) {
          throw floe;
        }
        LOG.warn(
            "snapshot {} is not readable and is put aside; an older one is tried",
            snapshot.path(),
            e);
        Path aside = snapshot.path().resolveSibling(snapshot.path().getFileName() + ".corrupt");
        Files.move(snapshot.path(), aside, StandardCopyOption.REPLACE_EXISTING);
        Files.deleteIfExists(md5Of(snapshot.path()));
      }
    }
    latest = null;
    return null;
  }

  private static MD5Hash verify(Path path) throws IOException {
    MD5Hash stored = MD5FileUtil.readStoredMd5ForFile(path.toFile());
    MD5Hash real = MD5FileUtil.computeMd5ForFile(path.toFile());
    if (!real.equals(stored)) {
      throw new IOException("the MD5 of " + path + " is " + real + ", stored is " + stored);
    }
    return real;
  }

  /// Writes a snapshot; when this returns it is durable and the latest.
  ///
  /// @throws NoSuchFileException when another snapshot was installed meanwhile, which replaces the
  ///     folder
  void write(TermIndex at, Writer writer) throws IOException {
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
  void forceInstalled() throws IOException {
    Path dir = checkedDirectory();
    for (Snapshot snapshot : newestFirst()) {
      try (FileChannel channel = FileChannel.open(snapshot.path(), StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
    forceDirectory(dir);
    forceDirectory(dir.resolve(".."));
  }

  @Override
  public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
    return latest;
  }

  /// The index of the latest durable snapshot, -1 for none.
  long latestIndex() {
    SingleFileSnapshotInfo info = latest;
    return info == null ? -1 : info.getIndex();
  }

  /// The index of the newest snapshot that has a file, readable or not; -1 for none.
  long newestIndexOnDisk() throws IOException {
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
  }

  private List<Snapshot> newestFirst() throws IOException {
    List<Snapshot> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(checkedDirectory())) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          found.add(
              new Snapshot(
                  file,
                  TermIndex.valueOf(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)))));
        }
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
  record Loaded<T>(TermIndex termIndex, T value) {}

  /// Reads a snapshot file.
  @FunctionalInterface
  interface Loader<T> {
    T load(Path file) throws IOException;
  }

  /// Writes a snapshot's bytes.
  @FunctionalInterface
  interface Writer {
    void write(FileChannel channel) throws IOException;
  }
}
