package dev.floe.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryNameTest {
  private static final NodeIdentity NODE = new NodeIdentity("c", "store", "s1");

  @TempDir private Path folder;

  private UUID nameOf(String directory, long seed) {
    return begin(directory, seed).name();
  }

  private DirectoryName.Start begin(String directory, long seed) {
    try (NodeDirectory open = NodeDirectory.open(folder.resolve(directory), NODE)) {
      return DirectoryName.begin(open, new Random(seed));
    }
  }

  @Test
  void everyStartHasALargerNumber() throws IOException {
    DirectoryName.Start first = begin("a", 1);
    assertThat(first.number()).isEqualTo(1);
    assertThat(begin("a", 2)).isEqualTo(new DirectoryName.Start(first.name(), 2));
    assertThat(begin("a", 3)).isEqualTo(new DirectoryName.Start(first.name(), 3));
    Path file = folder.resolve("a").resolve(DirectoryName.FILE);
    assertThat(file).hasContent("format=2\nname=" + first.name() + "\nstarts=3\n");

    Files.writeString(file, "format=1\nname=" + first.name() + "\n");
    assertThat(begin("a", 4)).isEqualTo(new DirectoryName.Start(first.name(), 1));
  }

  @Test
  void isDrawnOnceAndStaysWhateverIsDrawnLater() {
    UUID first = nameOf("a", 1);

    assertThat(nameOf("a", 2)).isEqualTo(first);
    assertThat(nameOf("b", 3)).isNotEqualTo(first);
  }

  @Test
  void aDamagedFileIsRefusedWithTheWayOut() throws IOException {
    UUID first = nameOf("a", 1);
    Path file = folder.resolve("a").resolve(DirectoryName.FILE);
    for (String content :
        new String[] {
          "", "format=1\nname=" + first, "format=2\nname=x\n", "format=2\nname=" + first + "\n"
        }) {
      Files.writeString(file, content);
      assertThatThrownBy(() -> nameOf("a", 2))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
          .hasMessageContaining(DirectoryName.FILE)
          .hasMessageContaining("delete it");
    }
    Files.delete(file);
    assertThat(nameOf("a", 4)).isNotEqualTo(first);
  }
}
