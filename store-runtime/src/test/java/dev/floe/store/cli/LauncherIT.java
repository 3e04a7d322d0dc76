package dev.floe.store.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.store.local.PortPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherIT {
  @TempDir private Path dir;

  @Test
  void startsFromAnyFolderThroughALinkAndPrintsNothingElse() throws Exception {
    Path link = Files.createSymbolicLink(dir.resolve("floe link"), Launcher.FLOE);
    Launcher.Outcome outcome = new Launcher(dir, link).run("version").expect(0);
    assertThat(outcome.out()).startsWith("floe ").hasLineCount(1);
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void withoutAJdkItSaysWhatToInstallAndExitsWithThree() throws Exception {
    Launcher.Outcome outcome =
        new Launcher(dir).with("FLOE_JAVA_HOME", dir.toString()).run("version").expect(3);
    assertThat(outcome.err()).contains("JDK 25");
  }

  @Test
  void keysAndFilesAreUtf8WhateverTheLocaleIs() throws Exception {
    Launcher posix = new Launcher(dir).with("LC_ALL", "POSIX").with("LANG", "C");
    Launcher.Outcome outcome = posix.run("put", "schlüssel/日本", "größe-" + '\u00e9').expect(2);
    assertThat(outcome.err()).contains("there is no file größe-é");
  }

  @Test
  void refusesAKeyWhoseBytesAreNotUtf8() throws Exception {
    // Java cannot start a process with such an argument, a shell can.
    Path script = dir.resolve("raw.sh");
    Files.writeString(
        script, "exec '" + Launcher.FLOE + "' stat \"$(printf 'a\\377b')\" --timeout 1s\n");
    Process process =
        new ProcessBuilder("sh", script.toString())
            .redirectError(dir.resolve("err").toFile())
            .redirectOutput(dir.resolve("out").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(Files.readString(dir.resolve("err"))).contains("not UTF-8").contains("next: ");
  }

  @Test
  void whenNoClusterRunsItSaysSoAndExitsWithThree() throws Exception {
    Launcher.Outcome outcome =
        new Launcher(dir)
            .with("FLOE_MASTERS", "127.0.0.1:9")
            .run("ls", "--timeout", "500ms")
            .expect(3);
    assertThat(outcome.out()).doesNotContain("{");
    assertThat(outcome.err()).contains("127.0.0.1:9").contains("next: is the cluster running?");
  }

  @Test
  void theCompletionScriptIsOneThatBashReads() throws Exception {
    Path script = dir.resolve("completion.bash");
    Files.write(script, new Launcher(dir).run("completion", "bash").expect(0).bytes());
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).isZero();
  }

  @Test
  void moreJvmFlagsCanBeGiven() throws Exception {
    Launcher.Outcome outcome =
        new Launcher(dir)
            .with("FLOE_JAVA_OPTS", "-Dfloe.unused=1  -XX:+PrintCommandLineFlags")
            .run("version")
            .expect(0);
    assertThat(outcome.out()).contains("-XX:");
  }

  @Test
  void aMasterThatIsToldToStopClosesAndSaysSoWithItsCode() throws Exception {
    Launcher launcher = new Launcher(dir);
    Process master = startMaster(launcher, PortPlan.free(1, 0));
    launcher.awaitErr(master, "master", "master m1 of cluster floe");
    master.destroy();
    assertThat(master.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(master.exitValue()).isEqualTo(143);
  }

  @Test
  void aPortOrFolderInUseIsNamed() throws Exception {
    Launcher launcher = new Launcher(dir);
    PortPlan ports = PortPlan.free(3, 0);
    int rpc = ports.rpc().getFirst().port();
    Process first = startMaster(launcher, ports);
    try {
      launcher.awaitErr(first, "master", "master m1 of cluster floe");
      Launcher.Outcome sameFolder =
          launcher
              .run(
                  "master",
                  "--node",
                  "m1",
                  "--data-dir",
                  "data",
                  "--masters",
                  "m1=" + ports.rpc().get(1) + "/" + ports.raft().get(1).port())
              .expect(5);
      assertThat(sameFolder.err()).contains("data").contains("in use");
      Launcher.Outcome samePort =
          launcher
              .run(
                  "master",
                  "--node",
                  "m1",
                  "--data-dir",
                  "other",
                  "--masters",
                  "m1=" + ports.rpc().getFirst() + "/" + ports.raft().get(2).port())
              .expect(5);
      assertThat(samePort.err()).contains("127.0.0.1:" + rpc).contains("another port");
    } finally {
      first.destroyForcibly().waitFor();
    }
  }

  private static Process startMaster(Launcher launcher, PortPlan ports) throws IOException {
    return launcher.start(
        "master",
        "master",
        "--node",
        "m1",
        "--data-dir",
        "data",
        "--masters",
        "m1=" + ports.rpc().getFirst() + "/" + ports.raft().getFirst().port());
  }
}
