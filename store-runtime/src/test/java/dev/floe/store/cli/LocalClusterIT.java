package dev.floe.store.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.FloeException;
import dev.floe.store.local.PortPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A cluster of processes, used with the command line as a person would, with its leader killed on
/// the way. The steps build on each other.
@SuppressWarnings("NullAway.Init") // the fields are set in startCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LocalClusterIT {
  private static final int BIG = 20 << 20;

  private Path dir;
  private Launcher launcher;
  private Process up;
  private int base;
  private final byte[] big = Launcher.bytes(3, BIG);

  @BeforeAll
  void startCluster(@TempDir Path temporary) throws Exception {
    dir = temporary;
    base = freeBase();
    Path work = Files.createDirectory(dir.resolve("work"));
    launcher =
        new Launcher(work)
            .with(
                "FLOE_MASTERS",
                "127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d".formatted(base, base + 1, base + 2));
    up =
        launcher.start(
            "up",
            "up",
            "--processes",
            "--dir",
            dir.resolve("cluster").toString(),
            "--base-port",
            Integer.toString(base),
            "--segment-size",
            "128MiB");
    launcher.awaitOut(up, "up", "Ready");
    Files.write(work.resolve("big.bin"), big);
  }

  private static int freeBase() {
    Random random = new Random();
    FloeException last = null;
    for (int i = 0; i < 100; i++) {
      int candidate = 20_000 + random.nextInt(10_000);
      try {
        PortPlan.from(candidate, 3, 2);
        return candidate;
      } catch (FloeException e) {
        last = e;
      }
    }
    throw new IllegalStateException("no free ports", last);
  }

  @AfterAll
  void stopCluster() throws Exception {
    if (up != null) {
      List<ProcessHandle> children = up.descendants().toList();
      up.destroyForcibly().waitFor();
      for (ProcessHandle child : children) {
        child.onExit().get(60, TimeUnit.SECONDS);
      }
    }
  }

  private JsonNode json(Launcher.Outcome outcome) {
    return JsonMapper.shared().readTree(outcome.out());
  }

  @Test
  @Order(1)
  void storesFilesAndPipesAndReadsThemBack() throws Exception {
    JsonNode stored =
        json(launcher.run("put", "größe/big", "big.bin", "-r", "2", "-o", "json").expect(0));
    assertThat(stored.get("replicas").asInt()).isEqualTo(2);
    launcher.runWithInput("hello\n".getBytes(UTF_8), "put", "small", "-", "-r", "2").expect(0);
    launcher.runWithInput(new byte[0], "put", "empty", "-", "-r", "2").expect(0);

    launcher.run("get", "größe/big", "copy.bin").expect(0);
    assertThat(dir.resolve("work/copy.bin")).hasBinaryContent(big);
    assertThat(launcher.run("get", "größe/big").expect(0).bytes()).isEqualTo(big);
    assertThat(launcher.run("get", "small").expect(0).out()).isEqualTo("hello\n");
    assertThat(launcher.run("get", "empty").expect(0).bytes()).isEmpty();
  }

  @Test
  @Order(2)
  void showsWhatIsThere() throws Exception {
    JsonNode list = json(launcher.run("ls", "--output", "json").expect(0)).get("objects");
    assertThat(list.findValuesAsString("key")).containsExactly("empty", "größe/big", "small");
    JsonNode stat = json(launcher.run("stat", "größe/big", "-o", "json").expect(0));
    assertThat(stat.get("sizeBytes").asLong()).isEqualTo(BIG);
    assertThat(stat.get("replicas")).hasSize(2);
    launcher.run("exist", "small", "empty").expect(0);
    launcher.run("exist", "small", "nope").expect(1);
    JsonNode status = json(launcher.run("status", "-o", "json").expect(0));
    assertThat(status.get("masters")).hasSize(3);
    assertThat(status.get("runtimes").findValuesAsString("state"))
        .containsExactly("ALIVE", "ALIVE");
    assertThat(status.get("totals").get("objects").asInt()).isEqualTo(3);
  }

  @Test
  @Order(2)
  void writesThroughALinkAndTellsOfADestinationThatIsFull() throws Exception {
    Path work = dir.resolve("work");
    Path there = work.resolve("yet-to-be-made");
    Path link = Files.createSymbolicLink(work.resolve("link"), there.getFileName());
    for (int round = 0; round < 2; round++) {
      launcher.run("get", "small", "link").expect(0);
      assertThat(link).isSymbolicLink().hasContent("hello\n");
      assertThat(there).isRegularFile().hasContent("hello\n");
    }
    assertThat(launcher.run("get", "größe/big", "/dev/full").expect(5).err())
        .contains("No space left");
  }

  @Test
  @Order(3)
  void aKeyKeepsItsValueAndAMissingOneIsAnErrorThatLeavesNoFile() throws Exception {
    assertThat(launcher.run("put", "small", "big.bin").expect(5).err()).contains("has a value");
    assertThat(launcher.run("get", "small").expect(0).out()).isEqualTo("hello\n");
    assertThat(launcher.run("get", "nope", "nope.bin").expect(1).err()).contains("nope");
    try (Stream<Path> files = Files.list(dir.resolve("work"))) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .noneMatch(name -> name.startsWith("nope") || name.startsWith(".floe"));
    }
    assertThat(launcher.run("put", "huge", "big.bin", "--tenant", "_sys").expect(2).err())
        .contains("_sys");
    launcher.run("exist", "small", "--tenant", "other").expect(1);
  }

  @Test
  @Order(4)
  void whatWasStoredIsReadFromTheNewLeaderAfterTheOldOneWasKilled() throws Exception {
    JsonNode before = json(launcher.run("status", "-o", "json").expect(0));
    String leader = before.get("leader").asString();
    ProcessHandle killed = process("floe master", leader);
    assertThat(killed.destroyForcibly()).isTrue();
    killed.onExit().get(30, TimeUnit.SECONDS);

    assertThat(launcher.run("get", "größe/big").expect(0).bytes()).isEqualTo(big);
    launcher.run("put", "after", "big.bin").expect(0);
    JsonNode after = json(launcher.run("status", "-o", "json").expect(0));
    assertThat(after.get("leader").asString()).isNotEqualTo(leader);
    assertThat(after.get("term").asLong()).isGreaterThan(before.get("term").asLong());
    launcher.awaitErr(up, "up", "node " + leader + " ended: exit code 137");
  }

  private ProcessHandle process(String kind, String node) {
    Path file = dir.resolve("cluster").resolve(node).resolve("master.yaml");
    Optional<ProcessHandle> found =
        up.descendants()
            .filter(
                child ->
                    child.info().commandLine().orElse("").contains(file.toString())
                        || List.of(child.info().arguments().orElse(new String[0]))
                            .contains(file.toString()))
            .findFirst();
    return found.orElseThrow(() -> new AssertionError("no " + kind + " " + node + " runs"));
  }

  @Test
  @Order(5)
  void removesWhatWasJustReadAndTellsOfWhatIsNotThere() throws Exception {
    launcher.run("get", "small").expect(0);
    launcher.run("rm", "small").expect(0);
    assertThat(launcher.run("rm", "small", "after").expect(1).out()).isEqualTo("removed after\n");
    launcher.run("exist", "small").expect(1);
  }

  @Test
  @Order(6)
  void aSecondClusterOnTheSamePortsNamesThePortAndTheOption() throws Exception {
    assertThat(
            launcher
                .run("up", "--dir", dir.resolve("b").toString(), "--base-port", "" + (base + 1))
                .expect(5)
                .err())
        .contains("is in use")
        .contains("--base-port");
  }

  @Test
  @Order(7)
  void noChildOutlivesItsParentEvenWhenThatIsKilled() throws Exception {
    List<ProcessHandle> children = up.descendants().toList();
    assertThat(children).hasSize(4);
    up.destroyForcibly().waitFor();
    for (ProcessHandle child : children) {
      child.onExit().get(60, TimeUnit.SECONDS);
    }
    launcher.run("status", "--timeout", "2s").expect(3);
  }

  @Test
  @Order(8)
  void aClusterOfThisProcessStopsOnSigtermAndStartsAgainInItsFolder() throws Exception {
    String cluster = dir.resolve("embedded").toString();
    for (int round = 0; round < 2; round++) {
      Process embedded = start(cluster, 3);
      try {
        launcher.awaitOut(embedded, "embedded", "Ready");
        launcher.run("put", "k", "big.bin").expect(0);
      } finally {
        embedded.destroy();
        assertThat(embedded.waitFor(60, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(embedded.exitValue()).isEqualTo(143);
      String told = Files.readString(dir.resolve("work").resolve("embedded.err"));
      assertThat(told.substring(told.indexOf("floe: the cluster is stopping")))
          .isEqualTo("floe: the cluster is stopping\nfloe: the cluster has stopped\n");
    }
    assertThat(
            launcher
                .run("up", "--dir", cluster, "--masters", "1", "--base-port", "" + base)
                .expect(2)
                .err())
        .contains("another shape");
  }

  private Process start(String cluster, int masters) throws IOException {
    return launcher.start(
        "embedded",
        "up",
        "--dir",
        cluster,
        "--masters",
        Integer.toString(masters),
        "--base-port",
        Integer.toString(base),
        "--segment-size",
        "64MiB");
  }
}
