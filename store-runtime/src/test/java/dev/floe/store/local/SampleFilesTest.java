package dev.floe.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleFilesTest {
  @TempDir private Path dir;

  @Test
  void keysArePathsBelowTheFolderInOrder() throws IOException {
    Files.createDirectories(dir.resolve("b/c"));
    Files.writeString(dir.resolve("b/c/ünï.txt"), "xyz");
    Files.writeString(dir.resolve("a"), "");
    Files.createSymbolicLink(dir.resolve("b/link"), dir.resolve("a"));
    SampleFiles files = SampleFiles.below(dir);
    assertThat(files.files()).extracting(f -> f.key().value()).containsExactly("a", "b/c/ünï.txt");
    assertThat(files.totalBytes()).isEqualTo(3);
  }

  @Test
  void oneFileIsStoredUnderItsName() throws IOException {
    Path file = Files.writeString(dir.resolve("one.txt"), "12");
    assertThat(SampleFiles.below(file).files().getFirst().key()).hasToString("one.txt");
  }

  @Test
  void namesAFolderThatIsMissingOrEmpty() {
    assertThatThrownBy(() -> SampleFiles.below(dir.resolve("none")))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("none does not exist");
    assertThatThrownBy(() -> SampleFiles.below(dir)).hasMessageContaining("holds no file");
  }

  @Test
  void namesAFileThatCannotBeRead() throws IOException {
    Path file = Files.writeString(dir.resolve("secret"), "12");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeThat(Files.isReadable(file)).as("the superuser reads everything").isFalse();
    assertThatThrownBy(() -> SampleFiles.below(dir))
        .hasMessageContaining("secret")
        .hasMessageContaining("cannot be read");
  }

  @Test
  void leavesOutWhatDoesNotExistWhenAskedTo() throws IOException {
    Path file = Files.writeString(dir.resolve("one.txt"), "12");
    SampleFiles files = SampleFiles.ofExisting(List.of(dir.resolve("none"), file), dir);
    assertThat(files.files()).hasSize(1);
  }
}
