package dev.floe.store.cli;

import dev.floe.meta.client.MetadataApi;
import dev.floe.store.config.ClientConfig;

/// Opens what a command needs of a cluster; the caller closes it.
interface Clients {
  /// For commands that only ask the masters.
  MetadataApi metadata(ClientConfig config);
}
