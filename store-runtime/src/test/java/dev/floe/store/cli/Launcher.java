package dev.floe.store.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// Runs `bin/floe` as a user does: as a process of its own, from another folder.
public final class Launcher {
  public static final Path FLOE = Path.of("..", "bin", "floe").toAbsolutePath().normalize();
  private static final long SECONDS_MAX = 180;

  private final Path dir;
  private final Path program;
  private final Map<String, String> environment = new TreeMap<>();

  Launcher(Path dir) {
    this(dir, FLOE);
  }

  Launcher(Path dir, Path program) {
    this.dir = dir;
    this.program = program;
    environment.put("HOME", dir.toString());
  }

  Launcher with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /// What a process left.
  public static final class Outcome {
    private final int code;
    private final byte[] bytes;
    private final String err;

    Outcome(int code, byte[] bytes, String err) {
      this.code = code;
      this.bytes = bytes;
      this.err = err;
    }

    byte[] bytes() {
      return bytes;
    }

    String out() {
      return new String(bytes, UTF_8);
    }

    String err() {
      return err;
    }

    Outcome expect(int expected) {
      assertThat(code).as("exit code; stdout: %s; stderr: %s", out(), err).isEqualTo(expected);
      return this;
    }
  }

  /// Starts a command whose output goes to files in the folder.
  Process start(String name, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectOutput(dir.resolve(name + ".out").toFile())
            .redirectError(dir.resolve(name + ".err").toFile());
    // Settings of whoever runs the tests must not reach the commands.
    builder.environment().keySet().removeIf(variable -> variable.startsWith("FLOE_"));
    builder.environment().putAll(environment);
    String java = System.getProperty("java.home");
    builder.environment().putIfAbsent("FLOE_JAVA_HOME", java);
    return builder.start();
  }

  Outcome run(String... args) throws IOException, InterruptedException {
    return runWithInput(new byte[0], args);
  }

  Outcome runWithInput(byte[] input, String... args) throws IOException, InterruptedException {
    Process process = start("command", args);
    process.getOutputStream().write(input);
    process.getOutputStream().close();
    assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS))
        .as("%s ends within %d s", List.of(args), SECONDS_MAX)
        .isTrue();
    return new Outcome(
        process.exitValue(),
        Files.readAllBytes(dir.resolve("command.out")),
        Files.readString(dir.resolve("command.err")));
  }

  /// Waits until a started command has written `text` to its output.
  void awaitOut(Process process, String name, String text)
      throws IOException, InterruptedException {
    await(process, name, ".out", text);
  }

  /// Waits until a started command has written `text` to its error output.
  void awaitErr(Process process, String name, String text)
      throws IOException, InterruptedException {
    await(process, name, ".err", text);
  }

  private void await(Process process, String name, String stream, String text)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (!Files.readString(dir.resolve(name + stream)).contains(text)) {
      assertThat(process.isAlive() && System.nanoTime() < end)
          .as(
              "'%s' comes from %s; stderr: %s",
              text, name, Files.readString(dir.resolve(name + ".err")))
          .isTrue();
      Thread.sleep(50);
    }
  }

  public static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new java.util.Random(seed).nextBytes(bytes);
    return bytes;
  }
}
