package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// A local cluster of child processes, each started with `bin/floe` and a file of settings, as an
/// operator would.
///
/// Every child holds the other end of a pipe from this process and stops by itself when the pipe
/// ends, so that none outlives this process even when it is killed with -9. Nothing is restarted.
public final class ProcessCluster implements LocalCluster {
  private static final long STOP_SECONDS = 15;
  private static final int LOG_LINES = 5;

  private final ClusterShape shape;
  private final Path launcher;
  private final StoreProbe probe;
  private final List<Child> masters = new ArrayList<>();
  private final List<Child> stores = new ArrayList<>();
  private boolean isClosed;

  /// @param launcher `bin/floe`
  public ProcessCluster(ClusterShape shape, Path launcher, Ticker ticker) {
    this.shape = shape;
    this.launcher = launcher;
    this.probe =
        new StoreProbe(
            new SocketTransport(ticker),
            new Transport.Identity(shape.cluster(), "client/up"),
            ticker);
  }

  private record Child(String name, Endpoint endpoint, Path log, Process process) {}

  @Override
  public void start() {
    ClusterRecord.check(shape);
    for (int i = 0; i < shape.masters(); i++) {
      String name = shape.masterName(i);
      start(masters, "master", name, shape.ports().rpc().get(i), masterSettings(name));
    }
    for (int i = 0; i < shape.stores(); i++) {
      String name = shape.storeName(i);
      Endpoint endpoint = shape.ports().data().get(i);
      start(stores, "store", name, endpoint, storeSettings(name, endpoint));
    }
  }

  private synchronized void start(
      List<Child> group, String kind, String name, Endpoint endpoint, String settings) {
    if (isClosed) {
      throw new FloeException(ErrorCode.CANCELLED, "the cluster was stopped while it started");
    }
    Path directory = shape.directoryOf(name);
    Path file = directory.resolve(kind + ".yaml");
    Path log = directory.resolve(kind + ".log");
    try {
      Files.createDirectories(directory);
      Files.writeString(file, settings);
      Process process =
          new ProcessBuilder(
                  launcher.toString(), kind, "--config", file.toString(), "--stop-with-input")
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      group.add(new Child(name, endpoint, log, process));
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "node " + name + " cannot be started in " + directory + ": " + IoReason.of(e),
          e);
    }
  }

  private String masterSettings(String name) {
    StringBuilder peers = new StringBuilder();
    for (int i = 0; i < shape.masters(); i++) {
      peers
          .append("  - ")
          .append(shape.masterName(i))
          .append('=')
          .append(shape.ports().rpc().get(i))
          .append('/')
          .append(shape.ports().raft().get(i).port())
          .append('\n');
    }
    return "cluster: "
        + shape.cluster()
        + "\nnode: "
        + name
        + "\ndata-dir: "
        + quoted(shape.directoryOf(name).resolve("data"))
        + "\nmasters:\n"
        + peers;
  }

  private String storeSettings(String name, Endpoint endpoint) {
    String masterList =
        shape.ports().rpc().stream()
            .map(master -> "  - " + master + "\n")
            .collect(Collectors.joining());
    return "cluster: "
        + shape.cluster()
        + "\nnode: "
        + name
        + "\ndata-dir: "
        + quoted(shape.directoryOf(name).resolve("data"))
        + "\nlisten: "
        + endpoint
        + "\nsegment-size: "
        + shape.segmentBytes()
        + "\nmasters:\n"
        + masterList;
  }

  private static String quoted(Path path) {
    return "'" + path.toAbsolutePath().toString().replace("'", "''") + "'";
  }

  @Override
  public List<Endpoint> masters() {
    return shape.ports().rpc();
  }

  @Override
  public synchronized List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (Child child : children()) {
      nodes.add(
          new Node(
              child.name(),
              child.endpoint(),
              "pid " + child.process().pid() + ", log " + child.log()));
    }
    return nodes;
  }

  @Override
  public boolean hasJoined(ClusterView view) {
    List<Child> all;
    synchronized (this) {
      all = List.copyOf(stores);
    }
    return all.stream()
        .allMatch(
            store ->
                probe.serves(
                    store.endpoint(),
                    view.segments().stream()
                        .map(SegmentUsage::segment)
                        .filter(segment -> segment.runtime().value().equals(store.name()))
                        .map(Segment::id)
                        .collect(Collectors.toSet())));
  }

  private List<Child> children() {
    List<Child> all = new ArrayList<>(masters);
    all.addAll(stores);
    return all;
  }

  @Override
  public synchronized Map<String, String> ended() {
    Map<String, String> ended = new TreeMap<>();
    for (Child child : children()) {
      if (!child.process().isAlive()) {
        ended.put(
            child.name(),
            "exit code "
                + child.process().exitValue()
                + ", the end of "
                + child.log()
                + ": "
                + endOf(child.log()));
      }
    }
    return ended;
  }

  private static String endOf(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "(unreadable: " + IoReason.of(e) + ")";
    }
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    stop(stores);
    stop(masters);
  }

  private static void stop(List<Child> group) {
    group.forEach(child -> child.process().destroy());
    for (Child child : group) {
      try {
        if (!child.process().waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
          child.process().destroyForcibly();
        }
      } catch (InterruptedException e) {
        child.process().destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
