package dev.floe.store.cli.node;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.ErrorLines;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `floe status`: who leads, who is alive, how full it is.
@Command(
    name = "status",
    description = "Show the cluster: leader, masters, stores, segments, totals.",
    footer = {
      "",
      "Exits with 3 when there is no leader; what a follower knows is shown all the same.",
      "",
      "Example:",
      "  floe status --watch"
    })
public final class StatusCommand extends ClusterCommand {
  private static final long WATCH_MILLIS = 1000;
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = {"-w", "--watch"},
      description = "Show it again every second until Ctrl-C; with json one line each.")
  private boolean isWatching;

  public StatusCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() throws InterruptedException {
    ClientConfig config = config();
    try (ClusterAccess cluster = clients().cluster(config)) {
      MetadataApi metadata = cluster.metadata();
      if (isWatching) {
        watch(metadata, config);
        return ExitCodes.OK;
      }
      ClusterView view = metadata.clusterView(true, deadline(config));
      terminal()
          .out()
          .print(
              switch (output.format()) {
                case JSON -> Json.write(StatusReport.asJson(view));
                case TABLE -> StatusReport.asText(view);
              });
      return StatusReport.hasLeader(view) ? ExitCodes.OK : ExitCodes.UNAVAILABLE;
    }
  }

  private void watch(MetadataApi metadata, ClientConfig config) throws InterruptedException {
    while (true) {
      try {
        ClusterView view = metadata.clusterView(true, deadline(config));
        terminal()
            .out()
            .print(
                switch (output.format()) {
                  case JSON -> Json.writeLine(StatusReport.asJson(view)) + "\n";
                  case TABLE -> CLEAR_SCREEN + StatusReport.asText(view);
                });
      } catch (FloeException e) {
        ErrorLines.print(terminal(), e);
      }
      if (terminal().out().failure() != null) {
        return;
      }
      Thread.sleep(WATCH_MILLIS);
    }
  }
}
