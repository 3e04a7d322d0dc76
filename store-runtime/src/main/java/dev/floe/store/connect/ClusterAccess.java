package dev.floe.store.connect;

import dev.floe.meta.client.MetadataApi;
import dev.floe.store.client.StoreClient;

/// A cluster as its clients use it; safe for many threads.
public interface ClusterAccess extends AutoCloseable {
  /// Asks the masters.
  MetadataApi metadata();

  /// Stores and reads values.
  StoreClient objects();

  /// Ends transfers, then the session, then the connections.
  @Override
  void close();
}
