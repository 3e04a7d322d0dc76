package dev.floe.core.wire;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A network in memory for tests: the same frames, handshake and bounds as over sockets, through
/// pipes between threads.
///
/// Each instance is a network of its own; its addresses mean nothing outside. Safe for many threads.
public final class InMemoryTransport implements Transport {
  private static final int FIRST_PORT = 20_000;

  private final WireOptions options;
  private final ClientConnection.ClientThreads clients;
  private final Map<Endpoint, InMemoryListener> listeners = new ConcurrentHashMap<>();
  private final AtomicInteger nextPort = new AtomicInteger(FIRST_PORT);
  private final AtomicInteger nextClient = new AtomicInteger(1);

  /// A network with the bounds of `Limits`.
  public InMemoryTransport(Ticker ticker) {
    this(WireOptions.standard(ticker));
  }

  public InMemoryTransport(WireOptions options) {
    this.options = options;
    this.clients = new ClientConnection.ClientThreads(options.bounds());
  }

  @Override
  public Listener listen(Endpoint address, Identity self, HandlerTable handlers) {
    Endpoint bound =
        address.port() == 0 ? new Endpoint(address.host(), nextPort.getAndIncrement()) : address;
    InMemoryListener listener =
        new InMemoryListener(bound, new FrameServer(self, handlers, options));
    if (listeners.putIfAbsent(bound, listener) != null) {
      throw new FloeException(
          ErrorCode.ADDRESS_IN_USE,
          "cannot listen on "
              + address
              + ": another listener has this address; close it, or use another port (0 picks a free"
              + " one)");
    }
    return listener;
  }

  @Override
  public Connection connect(Endpoint to, Identity self, Deadline deadline) {
    if (Thread.currentThread().isInterrupted()) {
      throw new FloeException(ErrorCode.CANCELLED, "interrupted before connecting to " + to);
    }
    InMemoryListener listener = listeners.get(to);
    if (listener == null || deadline.isExpired()) {
      throw new FloeException(
          ErrorCode.UNAVAILABLE,
          "cannot connect to "
              + to
              + ": "
              + (listener == null ? "nobody listens there" : "the deadline had passed already"));
    }
    MemoryLink.Pair pair =
        MemoryLink.Pair.create("memory-client-" + nextClient.getAndIncrement(), to.toString());
    listener.server.accept(pair.server());
    return ClientConnection.open(pair.client(), self, deadline, clients);
  }

  private final class InMemoryListener implements Listener {
    private final Endpoint endpoint;
    private final FrameServer server;

    private InMemoryListener(Endpoint endpoint, FrameServer server) {
      this.endpoint = endpoint;
      this.server = server;
    }

    @Override
    public Endpoint endpoint() {
      return endpoint;
    }

    @Override
    public void close() {
      listeners.remove(endpoint, this);
      server.close();
    }
  }
}
