package dev.floe.meta.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.ratis.storage.FloeStateFormat;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.StateConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatisBootstrapTest {
  @TempDir Path root;

  private FloeException openIn(Path directory, long freeSpaceMinBytes) {
    RatisOptions.Storage plain = RatisOptions.Storage.DEFAULT;
    RatisOptions options =
        new RatisOptions(
            "test",
            "m1",
            directory,
            List.of(
                new RatisPeer("m1", Endpoint.parse("127.0.0.1:7501"), Endpoint.parse("h:7401"))),
            RatisOptions.Timing.DEFAULT,
            new RatisOptions.Storage(
                plain.snapshot(),
                plain.retainedSnapshots(),
                plain.segmentBytes(),
                plain.preservedEntries(),
                plain.purgeGapEntries(),
                freeSpaceMinBytes));
    RatisSeams seams = new RatisSeams(Ticker.system(), (what, cause) -> {});
    RatisBootstrap bootstrap =
        new RatisBootstrap(
            options, new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE), seams);
    return catchThrowableOfType(FloeException.class, bootstrap::open);
  }

  @Test
  void refusesAFileSystemWithTooLittleRoomBeforeItWritesAnything() {
    Path directory = root.resolve("raft");
    FloeException failure = openIn(directory, Long.MAX_VALUE);
    assertThat(failure.code()).isEqualTo(ErrorCode.DIRECTORY_UNUSABLE);
    assertThat(failure)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("free-space-min");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void refusesAFileInThePlaceOfTheDirectory() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "x");
    FloeException failure = openIn(file, 1);
    assertThat(failure.code()).isEqualTo(ErrorCode.DIRECTORY_UNUSABLE);
    assertThat(failure).hasMessageContaining(file + " exists and is a file");
  }
}
