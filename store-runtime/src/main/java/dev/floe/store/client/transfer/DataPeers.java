package dev.floe.store.client.transfer;

import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;

/// How a client reaches store runtimes: by an endpoint, over connections that are kept.
@FunctionalInterface
public interface DataPeers {
  /// Writes a request to a connection of that endpoint, as `Connection.send`.
  ///
  /// @throws dev.floe.core.error.FloeException also `UNAVAILABLE` when nobody answers there, and
  ///     `CIRCUIT_OPEN` when nobody did a moment ago
  Connection.PendingReply send(Endpoint to, Connection.Call call);
}
