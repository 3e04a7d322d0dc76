package dev.floe.core.wire;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;

/// How requests reach another node: the one SPI under metadata calls and data alike.
///
/// Implementations: blocking socket channels (`SocketTransport`), memory (`InMemoryTransport`), the
/// simulator's network. All pass `TransportContractTest`.
public interface Transport {
  /// Binds `address` and serves requests until the listener is closed.
  ///
  /// @param address where to listen; port 0 picks a free one
  /// @throws FloeException `ADDRESS_IN_USE` naming the address when another process has it
  Listener listen(Endpoint address, Identity self, HandlerTable handlers);

  /// Opens a connection and exchanges `HELLO`.
  ///
  /// @throws FloeException `UNAVAILABLE` when nobody answers in time, `WRONG_CLUSTER` when the
  /// other side belongs to
  ///     another cluster, `VERSION_MISMATCH` when it speaks another protocol version
  Connection connect(Endpoint to, Identity self, Deadline deadline);

  /// Who speaks: the cluster's name (empty from a client that accepts any) and the node, e.g.
  /// `master/m1`.
  record Identity(String cluster, String node) {}

  /// A bound server; `close` stops accepting, ends its connections and waits until no handler runs.
  interface Listener extends AutoCloseable {
    /// Where it listens, with the real port.
    Endpoint endpoint();

    @Override
    void close();
  }
}
