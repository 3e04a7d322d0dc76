package dev.floe.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class IoReasonTest {
  @Test
  void saysWhyWithoutTheNameOfAClass() {
    assertThat(IoReason.of(new NoSuchFileException("/a"))).isEqualTo("/a does not exist");
    assertThat(IoReason.of(new AccessDeniedException("/a"))).isEqualTo("no permission for /a");
    assertThat(IoReason.of(new FileAlreadyExistsException("/a")))
        .isEqualTo("/a exists and is a file");
    assertThat(IoReason.of(new NotDirectoryException("/a"))).isEqualTo("/a is no directory");
    assertThat(IoReason.of(new FileSystemException("/a", null, "Read-only file system")))
        .isEqualTo("/a: Read-only file system");
    assertThat(IoReason.of(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
  }

  @Test
  void namesTheClassOnlyWhenThereIsNothingElse() {
    assertThat(IoReason.of(new EOFException())).isEqualTo("java.io.EOFException");
    assertThat(IoReason.of(new FileSystemException("/a"))).isEqualTo("/a");
  }
}
