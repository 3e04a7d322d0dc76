package dev.floe.store.cli.shell;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.store.config.ClientConfig;
import picocli.CommandLine.Mixin;

/// A command that talks to a cluster.
public abstract class ClusterCommand extends FloeSubcommand {
  private final Clients clients;
  private final Ticker ticker;

  @Mixin private final ClientOptions options = new ClientOptions();

  protected ClusterCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal);
    this.clients = clients;
    this.ticker = ticker;
  }

  @Override
  public String nextStep(ErrorCode code) {
    return code == ErrorCode.INVALID_CONFIG
        ? "correct the setting: a flag, FLOE_MASTERS, FLOE_TENANT, FLOE_TIMEOUT or the client's file"
        : super.nextStep(code);
  }

  protected final Clients clients() {
    return clients;
  }

  protected final Ticker ticker() {
    return ticker;
  }

  protected final ClientConfig config() {
    return options.resolve(terminal().environment());
  }

  protected final Deadline deadline(ClientConfig config) {
    return Deadline.after(ticker, config.timeout());
  }
}
