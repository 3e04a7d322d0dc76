package dev.floe.sim.vthread;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The command line of a JVM that can simulate: the flags of `jvm.args`, the agent, and the class
/// path of this JVM.
public final class SimJvm {
  private static final String FLAGS = "/dev/floe/sim/jvm.args";

  /// A flag, of ours, for JVMs in which threads may lose the processor where they synchronise.
  public static final String PREEMPTING = "--preempting";

  private SimJvm() {}

  /// A command to start `main` in such a JVM.
  ///
  /// @param extraFlags come last, so they win, e.g. another heap size; also `PREEMPTING`
  public static List<String> command(List<String> extraFlags, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    extraFlags.stream().filter(flag -> !flag.equals(PREEMPTING)).forEach(command::add);
    String asked = extraFlags.contains(PREEMPTING) ? "=preempt" : "";
    command.add("-javaagent:" + agent() + asked);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  private static List<String> flags() {
    try (InputStream in = SimJvm.class.getResourceAsStream(FLAGS)) {
      if (in == null) {
        throw new IllegalStateException(FLAGS + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .flatMap(line -> Stream.of(line.split("\\s+", -1)))
          .filter(flag -> !flag.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The agent's jar lies beside the module's jar, or above its classes.
  private static Path agent() {
    Path own;
    try {
      own = Path.of(SimJvm.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    Path folder = own.getParent();
    if (folder == null) {
      throw new IllegalStateException("no folder holds " + own);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> f.getFileName().toString().endsWith("-agent.jar"))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      "the simulator's agent is not in " + folder + "; build it with Maven"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
