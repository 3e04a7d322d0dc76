package dev.floe.store.cli;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.client.MetadataApi;
import dev.floe.store.config.ClientConfig;

/// Clients of a real cluster. The metadata client is still being built: until it is there, every
/// command that needs a cluster says so.
final class RemoteClients implements Clients {
  @Override
  public MetadataApi metadata(ClientConfig config) {
    throw new FloeException(
        ErrorCode.UNSUPPORTED, "this build cannot connect to masters yet: " + config.masters());
  }
}
