package dev.floe.store.cli.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.store.cli.Launcher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SpoolTest {
  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void keepsWhatComesExactly() throws IOException {
    Spool spool = new Spool(folder, () -> Long.MAX_VALUE, Long.MAX_VALUE);
    for (int size : new int[] {0, 1, 3_000_000}) {
      byte[] bytes = Launcher.bytes(size, size);
      try (FileChannel channel = spool.take(new ByteArrayInputStream(bytes))) {
        assertThat(channel.size()).isEqualTo(size);
        ByteBuffer read = ByteBuffer.allocate(size);
        while (read.hasRemaining()) {
          channel.read(read, read.position());
        }
        assertThat(read.array()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void anEndlessInputStopsWhereTheRoomEndsAndSaysWhatHelps() {
    AtomicLong looks = new AtomicLong();
    // Less with every look: others fill the file system too.
    Spool spool =
        new Spool(
            folder,
            () -> Spool.RESERVE_BYTES + (20L << 20) - looks.getAndIncrement() * (10L << 20),
            Long.MAX_VALUE);
    assertThatThrownBy(() -> spool.take(zeros()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("free")
        .hasMessageContaining("java.io.tmpdir");
    assertThat(looks).hasValueGreaterThan(1);
  }

  @Test
  void aDiskThatIsFullSoonerThanItSaidIsToldTheSameWay() {
    Spool spool =
        new Spool(
            folder,
            () -> Long.MAX_VALUE,
            Long.MAX_VALUE,
            file -> {
              Files.delete(file);
              return FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
            });
    assertThatThrownBy(() -> spool.take(zeros()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("No space left on device")
        .hasMessageContaining("java.io.tmpdir");
  }

  @Test
  void aFileThatCannotBeOpenedIsNotLeftBehind() {
    Spool spool =
        new Spool(
            folder,
            () -> Long.MAX_VALUE,
            Long.MAX_VALUE,
            file -> {
              throw new IOException("too many open files");
            });
    assertThatThrownBy(() -> spool.take(zeros()))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining("too many open files");
  }

  @Test
  void aFolderThatIsMissingIsNamed() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> new Spool(missing, () -> 0, 1).take(zeros()))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void anInputAboveTheLimitOfAValueIsRefused() {
    Spool spool = new Spool(folder, () -> Long.MAX_VALUE, 1_000_000);
    assertThatThrownBy(() -> spool.take(zeros()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
        .hasMessageContaining("1000000");
  }

  /// A stream without end.
  private static InputStream zeros() {
    return new InputStream() {
      @Override
      public int read() {
        return 0;
      }

      @Override
      public int read(byte[] into, int from, int length) {
        return length;
      }
    };
  }
}
