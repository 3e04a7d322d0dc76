package dev.floe.meta.ratis.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryListingTest {
  @TempDir private Path folder;

  @Test
  void givesWhatMatchesInTheOrderOfNames() throws IOException {
    for (String name : new String[] {"log_9", "other", "log_1", "log_5"}) {
      Files.writeString(folder.resolve(name), name);
    }

    assertThat(DirectoryListing.of(folder, "log_*"))
        .extracting(path -> path.getFileName().toString())
        .containsExactly("log_1", "log_5", "log_9");
  }

  @Test
  void aDiskThatFailsWhileTheFolderIsReadIsAnIoException() {
    IOException broken = new IOException("Input/output error");
    Iterable<Path> entries =
        () -> {
          throw new DirectoryIteratorException(broken);
        };

    assertThatThrownBy(() -> DirectoryListing.sorted(entries)).isSameAs(broken);
  }
}
