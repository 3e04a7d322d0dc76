package dev.floe.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A directory that another process has.
@Timeout(120)
final class NodeDirectoryIT {
  private static final NodeIdentity M1 = new NodeIdentity("blue", "master", "m1");

  @TempDir Path root;

  /// What the other process runs: it takes the directory, says so, and waits to be ended.
  public static void main(String[] args) throws Exception {
    NodeDirectory directory = NodeDirectory.open(Path.of(args[0]), M1);
    System.out.println("took " + directory.path());
    System.out.flush();
    System.in.read();
  }

  @Test
  void namesTheProcessThatHasItAndTakesOverWhenThatProcessIsKilled() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                NodeDirectoryIT.class.getName(),
                root.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.inputReader().readLine()).startsWith("took ");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> NodeDirectory.open(root, M1))
            .isInstanceOfSatisfying(
                FloeException.class,
                e -> {
                  assertThat(e.code()).isEqualTo(ErrorCode.DIRECTORY_IN_USE);
                  assertThat(e.getMessage()).contains("process " + other.pid() + ":");
                });
      }
    } finally {
      other.destroyForcibly();
    }
    assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    NodeDirectory.open(root, M1).close();
  }
}
