package dev.floe.chaos.process;

import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.connect.ClusterClient;
import dev.floe.store.local.PortPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Three masters and two stores, each a process that can be killed, paused and started again.
final class ProcessNodes implements AutoCloseable {
  static final int MASTERS = 3;
  static final int STORES = 2;

  private final Path folder;
  private final PortPlan ports = PortPlan.free(MASTERS, STORES);
  private final Map<String, FloeProcess> running = new TreeMap<>();

  ProcessNodes(Path folder) {
    this.folder = folder;
  }

  List<Endpoint> masters() {
    return ports.rpc();
  }

  /// The address of one master.
  Endpoint master(String name) {
    return ports.rpc().get(index(name));
  }

  private static int index(String name) {
    return Integer.parseInt(name.substring(1)) - 1;
  }

  void startAll() throws IOException {
    for (int i = 1; i <= MASTERS; i++) {
      start("m" + i);
    }
    for (int i = 1; i <= STORES; i++) {
      start("s" + i);
    }
  }

  /// Starts `m1` to `m3`, `s1` or `s2`.
  void start(String name) throws IOException {
    Path log = folder.resolve(name + ".log");
    String data = folder.resolve(name).toString();
    running.put(
        name,
        name.startsWith("m")
            ? FloeProcess.start(
                log,
                "master",
                "--stop-with-input",
                "--cluster=chaos",
                "--node=" + name,
                "--data-dir=" + data,
                "--masters=" + peers())
            : FloeProcess.start(
                log,
                "store",
                "--stop-with-input",
                "--cluster=chaos",
                "--node=" + name,
                "--data-dir=" + data,
                "--listen=" + ports.data().get(index(name)),
                "--segment-size=256MiB",
                "--masters="
                    + masters().stream().map(Endpoint::toString).collect(Collectors.joining(","))));
  }

  private String peers() {
    return IntStream.range(0, MASTERS)
        .mapToObj(i -> "m" + (i + 1) + "=" + ports.rpc().get(i) + "/" + ports.raft().get(i).port())
        .collect(Collectors.joining(","));
  }

  FloeProcess process(String name) {
    FloeProcess process = running.get(name);
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process;
  }

  /// A client that knows the given masters.
  static ClusterClient client(List<Endpoint> masters) {
    return ClusterClient.open(
        masters, ClientOptions.DEFAULT, ClusterClient.Seams.standard(Ticker.system()));
  }

  @Override
  public void close() {
    running.values().forEach(FloeProcess::close);
  }
}
