package dev.floe.meta.client;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;

/// Where a client gets its connections: a pool in production.
@FunctionalInterface
public interface MasterConnections {
  /// An open connection, new or shared; the caller does not close it.
  ///
  /// @throws FloeException when none could be opened in time: nothing was sent
  Connection get(Endpoint master, Deadline deadline);
}
