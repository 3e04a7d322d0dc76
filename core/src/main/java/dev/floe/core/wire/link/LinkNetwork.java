package dev.floe.core.wire.link;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.Endpoint;
import java.util.function.Consumer;

/// Where links come from: the seam under `LinkTransport`, for networks that are not made of sockets.
public interface LinkNetwork {
  /// Takes connections at an address until what is returned is closed.
  ///
  /// @param address port 0 picks a free one
  /// @param acceptor gets the serving end of each link; it returns at once
  /// @throws FloeException `ADDRESS_IN_USE` naming the address
  Bound bind(Endpoint address, Consumer<ByteLink> acceptor);

  /// Opens a link and returns its calling end.
  ///
  /// @throws FloeException `UNAVAILABLE` when nobody answers in time
  ByteLink connect(Endpoint to, Deadline deadline);

  /// A bound address; `close` ends taking connections but no connection.
  interface Bound extends AutoCloseable {
    /// With the real port.
    Endpoint endpoint();

    @Override
    void close();
  }
}
