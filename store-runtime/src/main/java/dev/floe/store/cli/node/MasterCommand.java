package dev.floe.store.cli.node;

import dev.floe.core.time.Ticker;
import dev.floe.core.wire.link.ListenAddress;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.node.MasterOptions;
import dev.floe.store.cli.shell.Lifetime;
import dev.floe.store.cli.shell.ProcessExit;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.config.MasterConfig;
import dev.floe.store.config.Settings;
import java.time.InstantSource;
import picocli.CommandLine.Command;

/// `floe master`: one master in this process.
@Command(
    name = "master",
    description = "Run a master until SIGTERM or Ctrl-C.",
    footer = {
      "",
      "Each setting can be given in the file, as FLOE_MASTER_... in the environment (data-dir is",
      "FLOE_MASTER_DATA_DIR, election.timeout-min is FLOE_MASTER_ELECTION_TIMEOUT_MIN) or as a flag;",
      "later ones win.",
      "",
      "Example:",
      "  floe master --config master.yaml --node m1"
    })
public final class MasterCommand extends NodeCommand {
  private final Ticker ticker;

  public MasterCommand(Terminal terminal, Ticker ticker) {
    super(terminal, MasterConfig.SCHEMA);
    this.ticker = ticker;
  }

  @Override
  String start(Settings settings, Lifetime lifetime) {
    MasterOptions options = MasterConfig.options(settings);
    ListenAddress.check(options.self().rpcEndpoint());
    ListenAddress.check(options.self().raftEndpoint());
    MasterNode node =
        lifetime.own(
            MasterNode.start(
                options,
                new MasterNode.Seams(
                    new SocketTransport(ticker),
                    ticker,
                    InstantSource.system(),
                    new ProcessExit(terminal(), options.node()))));
    return "master " + node.node() + " of cluster " + options.cluster() + " on " + node.endpoint();
  }
}
