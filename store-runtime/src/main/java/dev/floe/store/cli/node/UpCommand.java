package dev.floe.store.cli.node;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ErrorLines;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.FloeSubcommand;
import dev.floe.store.cli.shell.Lifetime;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Table;
import dev.floe.store.config.ByteSize;
import dev.floe.store.connect.ClusterAccess;
import dev.floe.store.local.ClusterReadiness;
import dev.floe.store.local.ClusterShape;
import dev.floe.store.local.EmbeddedCluster;
import dev.floe.store.local.LocalCluster;
import dev.floe.store.local.PortPlan;
import dev.floe.store.local.ProcessCluster;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `floe up`: a cluster on this machine until Ctrl-C.
@Command(
    name = "up",
    description = "Start a cluster on this machine and keep it until Ctrl-C or SIGTERM.",
    footer = {
      "",
      "Values live in the memory of the stores and end with them. A node that ends by itself is",
      "reported and not started again.",
      "",
      "Example:",
      "  floe up --masters 3 --stores 2 --processes"
    })
public final class UpCommand extends FloeSubcommand {
  private static final Duration READY = Duration.ofSeconds(90);
  private static final long LOOK_MILLIS = 500;

  private final Clients clients;
  private final Ticker ticker;

  @Mixin private final LocalOptions local = new LocalOptions();

  @Option(
      names = "--masters",
      paramLabel = "N",
      defaultValue = "3",
      description = "Masters, 1 to 9; more than half of them must live (3).")
  private int masters = 3;

  @Option(
      names = "--stores",
      paramLabel = "N",
      defaultValue = "2",
      description = "Stores, 1 to 9 (2).")
  private int stores = 2;

  @Option(
      names = "--segment-size",
      paramLabel = "SIZE",
      defaultValue = "512MiB",
      description = "Memory that each store gives (512MiB).")
  private String segmentSize = "512MiB";

  @Option(
      names = "--processes",
      description = "Every node is a process of its own, as in production, with a log file.")
  private boolean isOfProcesses;

  public UpCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal);
    this.clients = clients;
    this.ticker = ticker;
  }

  @Override
  protected int run() throws InterruptedException {
    checkCount("--masters", masters);
    checkCount("--stores", stores);
    PortPlan ports = PortPlan.from(local.basePort(), masters, stores);
    ClusterShape shape =
        new ClusterShape("local", local.directory(terminal().environment()), ports, segmentBytes());
    try (Lifetime lifetime = new Lifetime(terminal())) {
      LocalCluster cluster =
          lifetime.own(
              isOfProcesses
                  ? new ProcessCluster(shape, clients.home().resolve("bin").resolve("floe"), ticker)
                  : new EmbeddedCluster(shape, ticker));
      cluster.start();
      try (ClusterAccess client = clients.cluster(cluster.masters())) {
        ClusterView view =
            ClusterReadiness.await(
                client.metadata(), cluster, stores, Deadline.after(ticker, READY));
        report(cluster, view, local.mastersOption(ports));
      }
      lifetime.announceEnd("the cluster");
      watch(cluster, lifetime);
    }
    return ExitCodes.OK;
  }

  private static void checkCount(String name, int count) {
    if (count < 1 || count > ClusterShape.NODES_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          name + " is " + count + ", allowed are 1 to " + ClusterShape.NODES_MAX);
    }
  }

  private long segmentBytes() {
    try {
      long bytes = ByteSize.parse(segmentSize);
      if (bytes < Limits.SEGMENT_BYTES_MIN || bytes > Limits.SEGMENT_BYTES_MAX) {
        throw new FloeException(
            ErrorCode.INVALID_ARGUMENT,
            "--segment-size is "
                + segmentSize
                + ", allowed are "
                + ByteSize.exact(Limits.SEGMENT_BYTES_MIN)
                + " to "
                + ByteSize.exact(Limits.SEGMENT_BYTES_MAX));
      }
      return bytes;
    } catch (IllegalArgumentException e) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "--segment-size is '" + segmentSize + "', which " + e.getMessage(),
          e);
    }
  }

  private void report(LocalCluster cluster, ClusterView view, String option) {
    String launcher = terminal().launcher();
    Table table = new Table("node", "endpoint", "where");
    cluster.nodes().forEach(node -> table.row(node.name(), node.endpoint(), node.place()));
    terminal().out().print(table.render());
    terminal()
        .out()
        .printf(
            "%nReady, %s leads. From another terminal:%n  %s status%s%n  %s put%s KEY FILE%nStop it"
                + " with Ctrl-C.%n",
            view.answeredBy(), launcher, option, launcher, option);
    terminal().out().checkWritten();
  }

  private void watch(LocalCluster cluster, Lifetime lifetime) throws InterruptedException {
    Set<String> reported = new HashSet<>();
    while (true) {
      Map<String, String> ended = cluster.ended();
      if (lifetime.isClosing()) {
        lifetime.awaitSignal();
        return;
      }
      for (Map.Entry<String, String> node : ended.entrySet()) {
        if (reported.add(node.getKey())) {
          ErrorLines.print(
              terminal(),
              "node " + node.getKey() + " ended: " + node.getValue(),
              "see with 'floe status' whether the others go on; to have it back stop all with"
                  + " Ctrl-C and run the command again");
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
