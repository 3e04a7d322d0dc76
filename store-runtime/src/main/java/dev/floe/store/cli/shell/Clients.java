package dev.floe.store.cli.shell;

import dev.floe.core.wire.Endpoint;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.nio.file.Path;
import java.util.List;

/// What commands know of the world beyond their terminal: how to reach clusters and where this
/// installation lies. Callers close what they get.
public interface Clients {
  /// The cluster that the settings of a client name.
  ClusterAccess cluster(ClientConfig config);

  /// The cluster whose masters are at these addresses.
  ClusterAccess cluster(List<Endpoint> masters);

  /// The folder of this installation.
  ///
  /// @throws dev.floe.core.error.FloeException `UNSUPPORTED` when this process was not started by
  ///     `bin/floe`
  Path home();
}
