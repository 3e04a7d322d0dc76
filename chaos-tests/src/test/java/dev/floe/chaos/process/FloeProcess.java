package dev.floe.chaos.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One `bin/floe` command as a process of its own, with its output in a file.
final class FloeProcess implements AutoCloseable {
  static final Path FLOE = Path.of("..", "bin", "floe").toAbsolutePath().normalize();
  private static final long SECONDS_MAX = 60;

  private final Process process;
  private final Path log;

  private FloeProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /// Starts a command whose output is appended to `log`; it stops when this process ends if it is told
  /// `--stop-with-input`.
  static FloeProcess start(Path log, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(FLOE.toString());
    command.addAll(List.of(args));
    return startRaw(log, command);
  }

  /// Starts any command with the environment of `bin/floe`.
  static FloeProcess startRaw(Path log, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    // Settings of whoever runs the tests must not reach the nodes.
    builder.environment().keySet().removeIf(variable -> variable.startsWith("FLOE_"));
    builder.environment().put("FLOE_JAVA_HOME", System.getProperty("java.home"));
    // Nodes live for seconds: the quick JIT saves more than the other one gives.
    builder.environment().put("FLOE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    return new FloeProcess(builder.start(), log);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Ends it as `kill -9` does.
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /// Stops its clock, so to speak: it neither runs nor ends.
  void pause() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /// Lets it go on as if nothing had happened.
  void resume() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", name, Long.toString(pid())).inheritIO().start().waitFor();
    assertThat(code).as("kill %s %d", name, pid()).isZero();
  }

  String output() throws IOException {
    return Files.readString(log);
  }

  void awaitOutput(String text) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (!output().contains(text)) {
      assertThat(isAlive() && System.nanoTime() < end)
          .as("'%s' comes; there is: %s", text, output())
          .isTrue();
      Thread.sleep(20);
    }
  }

  /// Waits for its end.
  ///
  /// @return the exit code
  int exitCode() throws IOException, InterruptedException {
    assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS))
        .as("it ends; so far: %s", output())
        .isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    // A paused process cannot even be killed by every system before it goes on.
    process.onExit().join();
  }
}
