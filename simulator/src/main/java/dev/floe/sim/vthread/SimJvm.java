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
///
/// @param flags more flags of the JVM, which win, e.g. another heap size
/// @param isPreempting whether threads may lose the processor where they synchronise
public record SimJvm(List<String> flags, boolean isPreempting) {
  private static final String FLAGS = "/dev/floe/sim/jvm.args";

  public SimJvm {
    flags = List.copyOf(flags);
  }

  /// The same with more flags, which win over those that it has.
  public SimJvm with(List<String> more) {
    List<String> all = new ArrayList<>(flags);
    all.addAll(more);
    return new SimJvm(all, isPreempting);
  }

  /// A command to start `main` in such a JVM.
  public List<String> command(String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(everyones());
    command.addAll(flags);
    command.add("-javaagent:" + agent() + (isPreempting ? "=preempt" : ""));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  private static List<String> everyones() {
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
