package dev.floe.store.cli;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import dev.floe.store.connect.ClusterClient;
import java.nio.file.Path;
import java.util.List;

/// Clients of real clusters over sockets.
final class RemoteClients implements Clients {
  /// What the launcher says about where it lies.
  static final String HOME_PROPERTY = "floe.home";

  private final Ticker ticker;

  RemoteClients(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public ClusterAccess cluster(ClientConfig config) {
    return ClusterClient.open(
        config.masters(),
        ClientOptions.DEFAULT.with(config.tenant()),
        ClusterClient.Seams.standard(ticker));
  }

  @Override
  public ClusterAccess cluster(List<Endpoint> masters) {
    return ClusterClient.open(masters, ClientOptions.DEFAULT, ClusterClient.Seams.standard(ticker));
  }

  @Override
  public Path home() {
    String home = System.getProperty(HOME_PROPERTY);
    if (home == null) {
      throw new FloeException(
          ErrorCode.UNSUPPORTED,
          "this needs the folder of the installation: start it with bin/floe");
    }
    return Path.of(home);
  }
}
