package dev.floe.store.cli.node;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.ListenAddress;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.store.cli.shell.ErrorLines;
import dev.floe.store.cli.shell.Lifetime;
import dev.floe.store.cli.shell.ProcessExit;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.config.Settings;
import dev.floe.store.config.StoreConfig;
import dev.floe.store.connect.ClusterClient;
import dev.floe.store.node.StoreNode;
import dev.floe.store.node.StoreOptions;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;

/// `floe store`: one store runtime in this process.
@Command(
    name = "store",
    description = "Run a store until SIGTERM or Ctrl-C.",
    footer = {
      "",
      "Each setting can be given in the file, as FLOE_STORE_... in the environment (data-dir is",
      "FLOE_STORE_DATA_DIR) or as a flag; later ones win. It joins the cluster as soon as a master",
      "leads, and joins again when its lease has ended.",
      "",
      "Example:",
      "  floe store --config store.yaml --node s1 --segment-size 4GiB"
    })
public final class StoreCommand extends NodeCommand {
  private final Ticker ticker;

  public StoreCommand(Terminal terminal, Ticker ticker) {
    super(terminal, StoreConfig.SCHEMA);
    this.ticker = ticker;
  }

  @Override
  String start(Settings settings, Lifetime lifetime) {
    StoreOptions options = StoreConfig.options(settings);
    ListenAddress.check(options.address().listen());
    RandomGenerator random = new SecureRandom();
    ProcessExit exit = new ProcessExit(terminal(), "store " + options.runtime());
    ClusterClient client =
        lifetime.own(
            ClusterClient.open(
                StoreConfig.masters(settings),
                ClientOptions.DEFAULT,
                new ClusterClient.Seams(
                    new Transport.Identity(options.cluster(), "store/" + options.runtime()),
                    ticker,
                    random)));
    StoreNode node =
        lifetime.own(
            StoreNode.start(
                options,
                new StoreNode.Seams(
                    new SocketTransport(ticker),
                    client.metadata(),
                    ticker,
                    random,
                    null,
                    failure -> exit.fatal(reason(failure), failure))));
    return "store "
        + options.runtime()
        + " of cluster "
        + options.cluster()
        + " on "
        + node.endpoint();
  }

  private static String reason(FloeException failure) {
    return ErrorLines.oneLine(failure.getMessage());
  }
}
