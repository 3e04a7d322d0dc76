package dev.floe.meta.ratis.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFilesTest {
  private static final TermIndex OLD = TermIndex.valueOf(1, 10);
  private static final TermIndex NEW = TermIndex.valueOf(2, 20);

  @TempDir private Path root;
  private final SnapshotFiles files = new SnapshotFiles();

  @BeforeEach
  void twoSnapshots() throws IOException {
    files.init(FolderStorage.in(root));
    files.write(OLD, channel -> channel.write(ByteBuffer.wrap(new byte[] {1})));
    files.write(NEW, channel -> channel.write(ByteBuffer.wrap(new byte[] {2})));
  }

  private Path file(TermIndex at) {
    return root.resolve("sm").resolve("snapshot." + at.getTerm() + "_" + at.getIndex());
  }

  @Test
  void theNewestIsLoaded() throws IOException {
    SnapshotFiles.Loaded<Byte> loaded = files.loadNewest(path -> Files.readAllBytes(path)[0]);
    assertThat(loaded).isEqualTo(new SnapshotFiles.Loaded<>(NEW, (byte) 2));
  }

  @Test
  void oneThatIsDamagedIsPutAsideAndTheOneBeforeIsLoaded() throws IOException {
    Files.write(file(NEW), new byte[] {9});
    SnapshotFiles.Loaded<Byte> loaded = files.loadNewest(path -> Files.readAllBytes(path)[0]);
    assertThat(loaded).isEqualTo(new SnapshotFiles.Loaded<>(OLD, (byte) 1));
    assertThat(file(NEW)).doesNotExist();
    assertThat(file(NEW).resolveSibling(file(NEW).getFileName() + ".corrupt")).exists();
  }

  @Test
  void howFarDurableOnesReachedIsKnownWhenTheyAreDamagedOrDeleted() throws IOException {
    Files.write(file(NEW), new byte[] {9});
    files.loadNewest(path -> Files.readAllBytes(path)[0]);
    assertThat(files.latestIndex()).isEqualTo(10);
    assertThat(files.durableIndex()).isEqualTo(20);
    Files.delete(file(OLD));
    assertThat(files.durableIndex()).isEqualTo(20);
  }

  @Test
  void oneThatWasInstalledCountsWhenItWasReadAndNotBefore() throws IOException {
    TermIndex installed = TermIndex.valueOf(2, 30);
    Files.copy(file(NEW), file(installed));
    Path md5 = file(NEW).resolveSibling(file(NEW).getFileName() + ".md5");
    Files.copy(md5, file(installed).resolveSibling(file(installed).getFileName() + ".md5"));
    assertThat(files.durableIndex()).isEqualTo(20);
    files.forceInstalled();
    files.loadNewest(path -> Files.readAllBytes(path)[0]);
    files.markDurable();
    assertThat(files.durableIndex()).isEqualTo(30);
  }

  @Test
  void oneWhoseMd5IsMissingOrTornIsDamaged() throws IOException {
    Path md5 = file(NEW).resolveSibling(file(NEW).getFileName() + ".md5");
    String whole = Files.readString(md5);
    Files.writeString(md5, whole.substring(0, 31));
    assertThat(files.loadNewest(path -> Files.readAllBytes(path)[0]))
        .isEqualTo(new SnapshotFiles.Loaded<>(OLD, (byte) 1));
    Files.delete(file(OLD).resolveSibling(file(OLD).getFileName() + ".md5"));
    assertThat(files.loadNewest(path -> Files.readAllBytes(path)[0])).isNull();
  }

  @Test
  void oneThatItsReaderFindsCorruptIsPutAside() throws IOException {
    SnapshotFiles.Loaded<Byte> loaded =
        files.loadNewest(
            path -> {
              if (path.equals(file(NEW))) {
                throw new FloeException(ErrorCode.CORRUPT, "planted");
              }
              return Files.readAllBytes(path)[0];
            });
    assertThat(loaded).isEqualTo(new SnapshotFiles.Loaded<>(OLD, (byte) 1));
    assertThat(file(NEW)).doesNotExist();
  }

  /// A folder under the file's name: the real operating system refuses to read it.
  @Test
  void oneThatCannotBeReadStopsTheStartAndNothingOlderTakesItsPlace() throws IOException {
    byte[] kept = Files.readAllBytes(file(NEW));
    Files.delete(file(NEW));
    Files.createDirectory(file(NEW));
    assertUnreadable("Is a directory");
    Files.delete(file(NEW));
    Files.write(file(NEW), kept);
    assertThat(files.loadNewest(path -> Files.readAllBytes(path)[0]))
        .isEqualTo(new SnapshotFiles.Loaded<>(NEW, (byte) 2));

    Path md5 = file(NEW).resolveSibling(file(NEW).getFileName() + ".md5");
    Files.delete(md5);
    Files.createDirectory(md5);
    assertUnreadable("Is a directory");
  }

  @Test
  void aDiskErrorAmongItsBytesStopsTheStartToo() {
    assertThatThrownBy(
            () ->
                files.loadNewest(
                    path -> {
                      throw new IOException("Input/output error");
                    }))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
        .hasMessageContaining(file(NEW).toString())
        .hasMessageContaining("Input/output error");
    assertThat(file(NEW)).exists();
    assertThat(file(OLD)).exists();
  }

  private void assertUnreadable(String reason) {
    assertThatThrownBy(() -> files.loadNewest(path -> Files.readAllBytes(path)[0]))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
        .hasMessageContaining(file(NEW).toString())
        .hasMessageContaining(reason);
    assertThat(file(NEW)).exists();
    assertThat(file(OLD)).exists();
  }

  @Test
  void oneOfAnotherReleaseIsNotDamagedAndStays() {
    assertThatThrownBy(
            () ->
                files.loadNewest(
                    path -> {
                      throw new FloeException(ErrorCode.VERSION_MISMATCH, "planted");
                    }))
        .hasMessageContaining("planted");
    assertThat(file(NEW)).exists();
    assertThat(file(OLD)).exists();
  }
}
