package dev.floe.core.wire.link;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A network in memory for tests: the same frames, handshake and bounds as over sockets, through
/// pipes between threads.
///
/// Each instance is a network of its own; its addresses mean nothing outside. Safe for many threads.
public final class InMemoryTransport implements Transport {
  private final LinkTransport overPipes;

  /// A network with the bounds of `Limits`.
  public InMemoryTransport(Ticker ticker) {
    this(WireOptions.standard(ticker));
  }

  public InMemoryTransport(WireOptions options) {
    this.overPipes = new LinkTransport(new Pipes(), options);
  }

  @Override
  public Listener listen(Endpoint address, Identity self, HandlerTable handlers) {
    return overPipes.listen(address, self, handlers);
  }

  @Override
  public Connection connect(Endpoint to, Identity self, Deadline deadline) {
    return overPipes.connect(to, self, deadline);
  }

  private static final class Pipes implements LinkNetwork {
    private static final int FIRST_PORT = 20_000;

    private final Map<Endpoint, Consumer<ByteLink>> acceptors = new ConcurrentHashMap<>();
    private final AtomicInteger nextPort = new AtomicInteger(FIRST_PORT);
    private final AtomicInteger nextClient = new AtomicInteger(1);

    @Override
    public Bound bind(Endpoint address, Consumer<ByteLink> acceptor) {
      Endpoint bound =
          address.port() == 0 ? new Endpoint(address.host(), nextPort.getAndIncrement()) : address;
      if (acceptors.putIfAbsent(bound, acceptor) != null) {
        throw new FloeException(
            ErrorCode.ADDRESS_IN_USE,
            "cannot listen on "
                + address
                + ": another listener has this address; close it, or use another port (0 picks a"
                + " free one)");
      }
      return new BoundPipe(bound, () -> acceptors.remove(bound, acceptor));
    }

    @Override
    public ByteLink connect(Endpoint to, Deadline deadline) {
      Consumer<ByteLink> acceptor = acceptors.get(to);
      if (acceptor == null || deadline.isExpired()) {
        throw new FloeException(
            ErrorCode.UNAVAILABLE,
            "cannot connect to "
                + to
                + ": "
                + (acceptor == null ? "nobody listens there" : "the deadline had passed already"));
      }
      MemoryLink.Pair pair =
          MemoryLink.Pair.create("memory-client-" + nextClient.getAndIncrement(), to.toString());
      acceptor.accept(pair.server());
      return pair.client();
    }
  }

  private record BoundPipe(Endpoint endpoint, Runnable unbind) implements LinkNetwork.Bound {
    @Override
    public void close() {
      unbind.run();
    }
  }
}
