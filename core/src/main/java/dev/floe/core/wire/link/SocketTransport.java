package dev.floe.core.wire.link;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.frame.ClientConnection;
import dev.floe.core.wire.frame.WireLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// The transport of production: TCP through blocking socket channels.
///
/// Blocking channels with direct buffers moved more bytes per CPU second here than any event loop
/// that was measured, and they let a payload be read straight into its destination. Safe for many
/// threads. It holds no resources of its own: each listener and connection is closed by whoever
/// opened it.
public final class SocketTransport implements Transport {
  private final WireOptions options;
  private final ClientConnection.ClientThreads clients;
  private final HostLookup hosts;

  /// A transport with the bounds of `Limits`.
  public SocketTransport(Ticker ticker) {
    this(WireOptions.standard(ticker));
  }

  public SocketTransport(WireOptions options) {
    this(options, HostLookup.Resolver.SYSTEM);
  }

  SocketTransport(WireOptions options, HostLookup.Resolver resolver) {
    this.options = options;
    this.clients = new ClientConnection.ClientThreads(options);
    this.hosts = new HostLookup(resolver);
  }

  @Override
  public SocketListener listen(Endpoint address, Identity self, HandlerTable handlers) {
    return SocketListener.bind(address, self, handlers, options);
  }

  @Override
  public Connection connect(Endpoint to, Identity self, Deadline deadline) {
    if (Thread.currentThread().isInterrupted()) {
      throw cancelled(to, null);
    }
    InetSocketAddress address = new InetSocketAddress(hosts.find(to, deadline), to.port());
    // The adaptor reads 0 as "for ever".
    long millis = Math.min(deadline.remainingMillis(), Integer.MAX_VALUE);
    if (millis == 0) {
      throw unavailable(to, "the deadline had passed already", null);
    }
    SocketLink link = open(to, address, (int) millis);
    return ClientConnection.open(link, self, deadline, clients);
  }

  private static SocketLink open(Endpoint to, InetSocketAddress address, int millis) {
    SocketChannel channel = null;
    SocketLink link = null;
    try {
      channel = SocketChannel.open();
      channel.socket().connect(address, millis);
      link = new SocketLink(channel);
      return link;
    } catch (SocketTimeoutException e) {
      throw unavailable(to, "no answer within " + millis + " ms", e);
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw cancelled(to, e);
      }
      throw unavailable(to, String.valueOf(e.getMessage()), e);
    } finally {
      if (link == null && channel != null) {
        closeQuietly(channel);
      }
    }
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      WireLog.LOG.debug("closing an unconnected channel reported {}", e.toString());
    }
  }

  private static FloeException unavailable(Endpoint to, String why, @Nullable Throwable cause) {
    return new FloeException(
        ErrorCode.UNAVAILABLE,
        "cannot connect to " + to + ": " + why + "; check that the node runs and the address",
        cause);
  }

  private static FloeException cancelled(Endpoint to, @Nullable Throwable cause) {
    return new FloeException(ErrorCode.CANCELLED, "interrupted while connecting to " + to, cause);
  }
}
