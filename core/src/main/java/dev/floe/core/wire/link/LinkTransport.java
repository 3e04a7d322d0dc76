package dev.floe.core.wire.link;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.frame.ClientConnection;
import dev.floe.core.wire.frame.FrameServer;

/// The frames, handshake and bounds of production over any network of links. Safe for many threads.
public final class LinkTransport implements Transport {
  private final LinkNetwork network;
  private final WireOptions options;
  private final ClientConnection.ClientThreads clients;

  public LinkTransport(LinkNetwork network, WireOptions options) {
    this.network = network;
    this.options = options;
    this.clients = new ClientConnection.ClientThreads(options);
  }

  @Override
  public Listener listen(Endpoint address, Identity self, HandlerTable handlers) {
    FrameServer server = new FrameServer(self, handlers, options);
    return new LinkListener(network.bind(address, server::accept), server);
  }

  @Override
  public Connection connect(Endpoint to, Identity self, Deadline deadline) {
    if (Thread.currentThread().isInterrupted()) {
      throw new FloeException(ErrorCode.CANCELLED, "interrupted before connecting to " + to);
    }
    return ClientConnection.open(network.connect(to, deadline), self, deadline, clients);
  }

  private record LinkListener(LinkNetwork.Bound bound, FrameServer server) implements Listener {
    @Override
    public Endpoint endpoint() {
      return bound.endpoint();
    }

    @Override
    public void close() {
      bound.close();
      server.close();
    }
  }
}
