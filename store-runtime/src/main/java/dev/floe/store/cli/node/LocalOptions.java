package dev.floe.store.cli.node;

import dev.floe.core.wire.Endpoint;
import dev.floe.store.local.PortPlan;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a cluster on this machine keeps its files and which ports it uses.
public final class LocalOptions {
  @Option(
      names = {"-d", "--dir"},
      paramLabel = "PATH",
      description = "Folder of the cluster; every node gets its own in it (~/.floe/local).")
  private @Nullable Path directory;

  @Option(
      names = "--base-port",
      paramLabel = "N",
      defaultValue = "" + PortPlan.DEFAULT_BASE,
      description = "First port: masters use N.., Raft N+100.., stores N+200.. (7401).")
  private int basePort = PortPlan.DEFAULT_BASE;

  @Nullable Path directoryOrNull() {
    return directory;
  }

  Path directory(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
    return directory == null ? Path.of(home, ".floe", "local") : directory;
  }

  int basePort() {
    return basePort;
  }

  /// How to call the other commands so that they find this cluster.
  String mastersOption(PortPlan ports) {
    return basePort == PortPlan.DEFAULT_BASE && ports.rpc().size() <= 3
        ? ""
        : " --masters "
            + ports.rpc().stream().map(Endpoint::toString).collect(Collectors.joining(","));
  }
}
