package dev.floe.meta.node;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.ratis.RatisPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One master of a `TestCluster` in a process of its own, whose files may not grow beyond a limit.
///
/// The limit (`ulimit -f`) stands for a full disk: the write that crosses it fails in the operating
/// system, and the JVM ignores the signal that comes with it.
final class MasterProcess implements AutoCloseable {
  static final int EXIT_FATAL = 3;

  private final Process process;
  private final Path output;

  private MasterProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static MasterProcess start(TestCluster cluster, Path root, String node, int fileKibibytesMax) {
    Path output = root.resolve(node + ".out");
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of("bash", "-c", "ulimit -f " + fileKibibytesMax + " && exec \"$@\"", "bash"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Nothing else may write a file: no counters, no unpacked native library.
    command.addAll(
        List.of(
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-Dorg.apache.ratis.thirdparty.io.netty.transport.noNative=true",
            "-cp",
            System.getProperty("java.class.path"),
            MasterProcess.class.getName(),
            node,
            root.toString()));
    for (RatisPeer peer : cluster.peers()) {
      command.addAll(
          List.of(peer.node(), peer.raftEndpoint().toString(), peer.rpcEndpoint().toString()));
    }
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.PIPE)
              .start();
      Thread.ofPlatform().daemon().name("output-of-" + node).start(() -> copy(process, output));
      return new MasterProcess(process, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Process process, Path output) {
    try (var in = process.getInputStream()) {
      Files.copy(in, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String output() {
    try {
      return Files.exists(output) ? Files.readString(output, StandardCharsets.UTF_8) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(TestCluster.LONG.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the process goes on; it said: " + output());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /// Runs one master until it cannot go on: node, root, then node, Raft and service address of each
  /// master.
  public static void main(String[] args) {
    List<RatisPeer> peers = new ArrayList<>();
    List<String> rest = Arrays.asList(args).subList(2, args.length);
    for (int i = 0; i < rest.size(); i += 3) {
      peers.add(
          new RatisPeer(
              rest.get(i), Endpoint.parse(rest.get(i + 1)), Endpoint.parse(rest.get(i + 2))));
    }
    TestCluster cluster = new TestCluster(Path.of(args[1]), peers);
    cluster.start(args[0]);
    System.out.println("STARTED");
    TestCluster.await("the end", Duration.ofHours(1).toSeconds(), () -> !cluster.fatal.isEmpty());
    cluster.fatal.forEach(reason -> System.out.println("FATAL " + reason));
    Runtime.getRuntime().halt(EXIT_FATAL);
  }
}
