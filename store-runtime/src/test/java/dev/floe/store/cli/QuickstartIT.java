package dev.floe.store.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class QuickstartIT {
  @TempDir private Path dir;
  private Path files;
  private Path temporary;

  @BeforeEach
  void makeFiles() throws IOException {
    files = dir.resolve("files");
    Files.createDirectories(files.resolve("unter/ordner"));
    temporary = Files.createDirectory(dir.resolve("tmp"));
    Files.write(files.resolve("empty"), new byte[0]);
    Files.write(files.resolve("one"), new byte[] {7});
    Files.write(files.resolve("unter/größer 3 MiB.bin"), Launcher.bytes(1, (3 << 20) + 17));
    Files.write(files.resolve("unter/ordner/text"), Launcher.bytes(2, 10_000));
  }

  private Launcher launcher() {
    return new Launcher(dir).with("FLOE_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
  }

  @Test
  void everyByteComesBackBeforeAndAfterTheLeaderIsKilled() throws Exception {
    Launcher.Outcome outcome =
        launcher()
            .run("quickstart", "--once", "--files", files.toString(), "--output", "json")
            .expect(0);
    JsonNode report = JsonMapper.shared().readTree(outcome.out());
    assertThat(report.get("objects").asInt()).isEqualTo(4);
    assertThat(report.get("bytes").asLong()).isEqualTo((3 << 20) + 17 + 10_000 + 1);
    assertThat(report.get("mismatches")).isEmpty();
    assertThat(report.get("newLeader")).isNotEqualTo(report.get("killedMaster"));
    assertThat(outcome.err()).contains("killed the leading master").doesNotContain("Exception");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(p -> p.toString().contains("floe"))).isEmpty();
    }
  }

  @Test
  void badFilesAreNamedAndNothingIsStarted() throws Exception {
    Path empty = Files.createDirectory(dir.resolve("nothing"));
    assertThat(launcher().run("quickstart", "--once", "--files", empty.toString()).expect(2).err())
        .contains("nothing holds no file")
        .doesNotContain("starting");
    assertThat(launcher().run("quickstart", "--once", "--files", "missing").expect(2).err())
        .contains("missing does not exist")
        .doesNotContain("starting");
  }

  @Test
  void filesThatDoNotFitIntoMemoryAreRefusedWithTheLimit() throws Exception {
    Path huge = Files.createDirectory(dir.resolve("huge"));
    try (java.io.RandomAccessFile sparse =
        new java.io.RandomAccessFile(huge.resolve("sparse").toFile(), "rw")) {
      sparse.setLength(1L << 42);
    }
    assertThat(launcher().run("quickstart", "--once", "--files", huge.toString()).expect(2).err())
        .contains("4.00 TiB")
        .contains("at most")
        .doesNotContain("starting");
  }
}
