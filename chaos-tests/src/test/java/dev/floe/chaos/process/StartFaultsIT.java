package dev.floe.chaos.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Nodes that cannot start say in one line what is wrong, in another what to do, and exit with an
/// error.
@Timeout(120)
final class StartFaultsIT {
  @TempDir private Path folder;

  private final AtomicInteger logs = new AtomicInteger();
  private Path data = Path.of("");

  @BeforeEach
  void nameData() {
    data = folder.resolve("data");
  }

  private Path log() {
    return folder.resolve("command-" + logs.incrementAndGet() + ".log");
  }

  /// A store whose masters nobody runs: it listens and waits for them.
  private String[] store(String cluster, Path directory, String listen) {
    return new String[] {
      "store",
      "--stop-with-input",
      "--cluster=" + cluster,
      "--node=s1",
      "--data-dir=" + directory,
      "--listen=" + listen,
      "--segment-size=16MiB",
      "--masters=127.0.0.1:9"
    };
  }

  private String[] master(String cluster, Path directory) {
    return new String[] {
      "master",
      "--stop-with-input",
      "--cluster=" + cluster,
      "--node=m1",
      "--data-dir=" + directory,
      "--masters=m1=" + ports.rpc().getFirst() + "/" + ports.raft().getFirst().port()
    };
  }

  private final dev.floe.store.local.PortPlan ports = dev.floe.store.local.PortPlan.free(1, 0);

  private void assertRefused(FloeProcess process, String... named)
      throws IOException, InterruptedException {
    int code = process.exitCode();
    String said = process.output();
    assertThat(code).as(said).isNotZero();
    assertThat(said).contains(named);
    assertThat(said.lines().filter(line -> line.startsWith("floe: "))).as(said).hasSize(1);
    assertThat(said.lines().filter(line -> line.startsWith("next: "))).as(said).hasSize(1);
    assertThat(said).doesNotContain("\tat ").doesNotContain("Exception");
  }

  @Test
  void aSecondProcessOnTheSameDirectoryNamesTheFirst() throws Exception {
    try (FloeProcess first = FloeProcess.start(log(), store("c", data, "127.0.0.1:0"))) {
      first.awaitOutput("floe: store s1 of cluster c on ");
      try (FloeProcess second = FloeProcess.start(log(), store("c", data, "127.0.0.1:0"))) {
        assertRefused(second, data.toString(), "in use", Long.toString(first.pid()));
      }
      assertThat(first.isAlive()).isTrue();
    }
    // Killed or not, the first leaves nothing that keeps others out.
    try (FloeProcess third = FloeProcess.start(log(), store("c", data, "127.0.0.1:0"))) {
      third.awaitOutput("floe: store s1 of cluster c on ");
    }
  }

  @Test
  void aDirectoryOfAnotherClusterIsRefusedWithBothNames() throws Exception {
    try (FloeProcess first = FloeProcess.start(log(), store("blue", data, "127.0.0.1:0"))) {
      first.awaitOutput("floe: store s1 of cluster blue on ");
    }
    try (FloeProcess other = FloeProcess.start(log(), store("green", data, "127.0.0.1:0"))) {
      assertRefused(other, data.toString(), "blue", "green");
    }
    Path ofMaster = folder.resolve("master");
    try (FloeProcess first = FloeProcess.start(log(), master("blue", ofMaster))) {
      first.awaitOutput("floe: master m1 of cluster blue on ");
    }
    try (FloeProcess other = FloeProcess.start(log(), master("green", ofMaster))) {
      assertRefused(other, ofMaster.toString(), "blue", "green");
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      try (FloeProcess process = FloeProcess.start(log(), store("c", data, address))) {
        assertRefused(process, address, "another port");
      }
    }
  }

  @Test
  void aDirectoryThatMayNotBeWrittenIsNamed() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectory(data);
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-xr-xr-x"));
    skipUnless("root".equals(System.getProperty("user.name")), "only root can run it as another");
    skipUnless(runsAsNobody(FloeProcess.FLOE.toString(), "version"), "nobody cannot run bin/floe");
    try (FloeProcess process = asNobody(log(), store("c", data, "127.0.0.1:0"))) {
      assertRefused(process, data.toString(), "writ");
    }
  }

  private static void skipUnless(boolean isPossible, String reason) {
    if (!isPossible) {
      System.out.println("skipped: a data directory that may not be written: " + reason);
    }
    Assumptions.assumeTrue(isPossible, reason);
  }

  private boolean runsAsNobody(String... command) throws IOException, InterruptedException {
    try (FloeProcess process = FloeProcess.startRaw(log(), nobody(command))) {
      return process.exitCode() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static FloeProcess asNobody(Path log, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(FloeProcess.FLOE.toString());
    command.addAll(List.of(args));
    return FloeProcess.startRaw(log, nobody(command.toArray(String[]::new)));
  }

  /// The command as the user nobody, in whose place no file of ours can be written.
  private static List<String> nobody(String... command) {
    List<String> all =
        new ArrayList<>(
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
    all.addAll(List.of(command));
    return all;
  }
}
