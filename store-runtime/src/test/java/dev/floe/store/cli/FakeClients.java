package dev.floe.store.cli;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.client.StoreClient;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// Clusters that answer questions about metadata and hold no values.
record FakeClients(Function<ClientConfig, MetadataApi> opener) implements Clients {
  @Override
  public ClusterAccess cluster(ClientConfig config) {
    MetadataApi metadata = opener.apply(config);
    return new ClusterAccess() {
      @Override
      public MetadataApi metadata() {
        return metadata;
      }

      @Override
      public StoreClient objects() {
        throw new FloeException(ErrorCode.UNAVAILABLE, "there are no values here");
      }

      @Override
      public void close() {
        metadata.close();
      }
    };
  }

  @Override
  public ClusterAccess cluster(List<Endpoint> masters) {
    throw new FloeException(ErrorCode.UNSUPPORTED, "there is no cluster here");
  }

  @Override
  public Path home() {
    throw new FloeException(ErrorCode.UNSUPPORTED, "there is no installation here");
  }
}
