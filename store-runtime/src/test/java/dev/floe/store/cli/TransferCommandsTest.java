package dev.floe.store.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.floe.core.time.Ticker;
import dev.floe.store.cli.shell.TestTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `put`, `get`, `up` and `quickstart` refuse before they talk to anybody. The rest needs real
/// clusters: see the integration tests.
class TransferCommandsTest {
  private final TestTerminal test = new TestTerminal(false);

  @TempDir private Path dir;

  private int run(String... args) {
    FakeClients clients = new FakeClients(config -> new FakeMetadata(10));
    return new FloeCli(test.terminal(), clients, Ticker.system()).run(args);
  }

  @Test
  void putNamesAFileThatIsMissingOrADirectory() {
    assertThat(run("put", "k", dir.resolve("none").toString())).isEqualTo(2);
    assertThat(test.err()).contains("there is no file").contains("none");
    assertThat(run("put", "k", dir.toString())).isEqualTo(2);
    assertThat(test.err()).contains("is a directory");
  }

  @Test
  void putChecksKeyAndReplicasFirst() throws IOException {
    String file = Files.writeString(dir.resolve("f"), "x").toString();
    assertThat(run("put", "", file)).isEqualTo(2);
    assertThat(run("put", "a\ufffd", file)).isEqualTo(2);
    assertThat(run("put", "k", file, "--replicas", "9")).isEqualTo(2);
    assertThat(test.err()).contains("key is empty").contains("U+FFFD").contains("1 to 8");
    assertThat(run("put", "k", file, "--replicas", "two")).isEqualTo(2);
    assertThat(run("put", "k")).isEqualTo(2);
  }

  @Test
  void getNamesADestinationThatCannotBe() {
    assertThat(run("get", "k", dir.toString())).isEqualTo(2);
    assertThat(test.err()).contains("is a directory");
    assertThat(run("get", "k", dir.resolve("none/file").toString())).isEqualTo(5);
    assertThat(test.err()).contains("there is no folder").contains("none");
  }

  @Test
  void putRefusesADeviceBecauseItNeedNotEnd() {
    assertThat(run("put", "k", "/dev/zero")).isEqualTo(2);
    assertThat(test.err()).contains("/dev/zero is a device").contains("floe put KEY - </dev/zero");
  }

  @ParameterizedTest
  @CsvSource({"put, did not end within --timeout; 'floe put KEY - <", "get, 'nobody opened '"})
  void aPipeWithoutItsOtherEndEndsWithTheTimeout(String command, String reason) throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try {
      assertThat(run(command, "k", pipe.toString(), "--timeout", "50ms")).isEqualTo(3);
      assertThat(test.err()).contains(reason + pipe);
    } finally {
      // Lets go the thread that waits for the other end.
      Files.newByteChannel(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
    }
  }

  @Test
  void getGoesThroughALinkToAFileThatIsYetToBeMade() throws IOException {
    Path folder = Files.createDirectory(dir.resolve("folder"));
    Path first = Files.createSymbolicLink(dir.resolve("first"), Path.of("folder/second"));
    Files.createSymbolicLink(folder.resolve("second"), Path.of("../folder/none/file"));
    assertThat(run("get", "k", first.toString())).isEqualTo(5);
    assertThat(test.err())
        .contains("first cannot be written: there is no folder ")
        .contains("folder/none");
    Files.createSymbolicLink(dir.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(dir.resolve("b"), Path.of("a"));
    assertThat(run("get", "k", dir.resolve("a").toString())).isEqualTo(2);
    assertThat(test.err()).contains("more than 40 links");
  }

  @Test
  void getNamesAFolderInWhichNoFileCanBeMade() throws IOException {
    Path folder = Files.createDirectory(dir.resolve("locked"));
    Path file = Files.writeString(folder.resolve("old"), "old");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(folder), "whoever runs this may write everywhere");
    for (Path target : List.of(file, folder.resolve("new"))) {
      assertThat(run("get", "k", target.toString())).isEqualTo(5);
      assertThat(test.err())
          .contains(target + " cannot be written: no permission to make files in " + folder);
    }
  }

  @Test
  void aFailedGetLeavesNoFile() throws IOException {
    assertThat(run("get", "k", dir.resolve("file").toString())).isEqualTo(3);
    try (Stream<Path> left = Files.list(dir)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void upNamesCountsAndSizesOutOfRange() {
    for (List<String> wrong :
        List.of(
            List.of("--masters", "0"),
            List.of("--masters", "10"),
            List.of("--stores", "0"),
            List.of("--segment-size", "huge"),
            List.of("--base-port", "65500"))) {
      assertThat(run("up", wrong.getFirst(), wrong.getLast(), "--dir", dir.toString()))
          .as(wrong.toString())
          .isEqualTo(2);
      assertThat(test.err()).contains(wrong.getFirst()).contains(wrong.getLast());
    }
  }

  @Test
  void quickstartNamesAFolderWithoutFiles() {
    assertThat(run("quickstart", "--once", "--files", dir.resolve("none").toString())).isEqualTo(2);
    assertThat(test.err()).contains("none does not exist");
    assertThat(run("quickstart", "--once", "--files", dir.toString())).isEqualTo(2);
    assertThat(test.err()).contains("holds no file");
  }

  @Test
  void nodesNameWhatIsMissing() {
    assertThat(run("master")).isEqualTo(2);
    assertThat(test.err()).contains("'node' is not set").contains("FLOE_MASTER_NODE");
    assertThat(run("store", "--node", "s1")).isEqualTo(2);
    assertThat(test.err()).contains("'data-dir' is not set").contains("FLOE_STORE_DATA_DIR");
  }

  @Test
  void nodesExplainTheirSettings() {
    test.withVariable("FLOE_STORE_SEGMENT_SIZE", "2GiB");
    assertThat(run("store", "--node", "s1", "--print-config")).isZero();
    assertThat(test.out())
        .containsPattern("node +s1 +--node")
        .containsPattern("segment-size +2GiB +FLOE_STORE_SEGMENT_SIZE")
        .containsPattern("data-dir +\\(not set\\)")
        .containsPattern("segments +1 +default");
  }
}
