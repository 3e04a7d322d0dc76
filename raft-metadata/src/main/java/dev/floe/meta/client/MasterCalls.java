package dev.floe.meta.client;

import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;

/// How a client reaches a master: a pool of connections in production (`PeerPool::call`).
@FunctionalInterface
public interface MasterCalls {
  /// Sends a request to one master and awaits its answer.
  ///
  /// @throws FloeException what the master answered; `UNAVAILABLE` or `CIRCUIT_OPEN` when nothing
  ///     was sent; `CONNECTION_LOST` or `DEADLINE_EXCEEDED` when it may have been executed
  Connection.Reply call(Endpoint master, Connection.Call call);
}
