package dev.floe.core.peer;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Calls to many nodes by their address: a few shared connections and a circuit breaker for each.
///
/// Connections are opened when they are first needed and again after they broke; nothing is retried
/// here, because only the caller knows what may be repeated. Soft state; safe for many threads.
public final class PeerPool implements AutoCloseable {
  private final Transport transport;
  private final Transport.Identity self;
  private final Options options;
  private final Map<Endpoint, Peer> peers = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  public PeerPool(Transport transport, Transport.Identity self, Options options) {
    this.transport = transport;
    this.self = self;
    this.options = options;
  }

  /// How a pool treats each peer.
  ///
  /// @param ticker the clock of the circuit breakers
  /// @param connectionsMax connections to one peer: one stream of large values is limited by one
  ///     core on each side, so a few share the work
  /// @param connectTimeout bound on opening a connection, within the call's deadline
  public record Options(
      Ticker ticker, int connectionsMax, Duration connectTimeout, CircuitBreaker.Settings breaker) {
    public Options {
      if (connectionsMax < 1 || connectionsMax > Limits.PEER_CONNECTIONS_MAX) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "connections per peer is "
                + connectionsMax
                + " but must be in 1.."
                + Limits.PEER_CONNECTIONS_MAX);
      }
    }

    /// Four connections, 3 s to open one, the standard breaker.
    public static Options standard(Ticker ticker) {
      return new Options(ticker, 4, Duration.ofSeconds(3), CircuitBreaker.Settings.STANDARD);
    }
  }

  /// Sends a request to the node at `to` and awaits its answer.
  ///
  /// @throws FloeException `CIRCUIT_OPEN` when the node failed too often lately, naming when it will
  ///     be tried again; `UNAVAILABLE` when no connection can be opened; and all that
  ///     `Connection.call` throws
  public Connection.Reply call(Endpoint to, Connection.Call call) {
    return send(to, call).await();
  }

  /// Sends a request to the node at `to`; what is returned must be awaited, because the circuit
  /// breaker and the choice among connections learn from its outcome.
  ///
  /// @throws FloeException as `call`
  public Connection.PendingReply send(Endpoint to, Connection.Call call) {
    if (call.deadline().isExpired()) {
      throw new FloeException(
          ErrorCode.DEADLINE_EXCEEDED, "the deadline had passed before a request to " + to);
    }
    Peer peer = peers.get(to);
    return (peer == null ? newPeer(to) : peer).send(call);
  }

  private Peer newPeer(Endpoint to) {
    if (isClosed) {
      throw closed(to);
    }
    if (peers.size() >= Limits.PEERS_MAX) {
      peers.values().removeIf(Peer::retireIfUnused);
      if (peers.size() >= Limits.PEERS_MAX) {
        throw new FloeException(
            ErrorCode.OVERLOADED,
            "cannot call " + to + ": connections to " + Limits.PEERS_MAX + " nodes are open");
      }
    }
    Peer peer = peers.computeIfAbsent(to, e -> new Peer(e, transport, self, options));
    if (isClosed) {
      peer.close();
    }
    return peer;
  }

  static FloeException closed(Endpoint to) {
    return new FloeException(
        ErrorCode.UNAVAILABLE, "cannot call " + to + ": this side is shutting down");
  }

  /// Connections that are open to `to` now.
  public int connectionCount(Endpoint to) {
    Peer peer = peers.get(to);
    return peer == null ? 0 : peer.connectionCount();
  }

  /// Closes all connections; unanswered calls fail with `CONNECTION_LOST`, later ones with
  /// `UNAVAILABLE`.
  @Override
  public void close() {
    isClosed = true;
    peers.values().forEach(Peer::close);
  }
}
