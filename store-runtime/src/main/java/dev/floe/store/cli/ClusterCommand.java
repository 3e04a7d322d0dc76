package dev.floe.store.cli;

import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.store.config.ClientConfig;
import picocli.CommandLine.Mixin;

/// A command that talks to a cluster.
abstract class ClusterCommand extends FloeSubcommand {
  private final Clients clients;
  private final Ticker ticker;

  @Mixin private final ClientOptions options = new ClientOptions();

  ClusterCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal);
    this.clients = clients;
    this.ticker = ticker;
  }

  final Clients clients() {
    return clients;
  }

  final Ticker ticker() {
    return ticker;
  }

  final ClientConfig config() {
    return options.resolve(terminal().environment());
  }

  final Deadline deadline(ClientConfig config) {
    return Deadline.after(ticker, config.timeout());
  }
}
