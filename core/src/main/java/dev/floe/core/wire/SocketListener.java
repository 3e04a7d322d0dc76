package dev.floe.core.wire;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/// A bound TCP port with the thread that accepts on it.
public final class SocketListener implements Transport.Listener {
  private static final int BACKLOG = 1024;
  private static final long ACCEPT_PAUSE_NANOS = 50_000_000L;

  private final ServerSocketChannel channel;
  private final Endpoint endpoint;
  private final FrameServer server;
  private final Thread acceptor;

  private SocketListener(ServerSocketChannel channel, Endpoint endpoint, FrameServer server) {
    this.channel = channel;
    this.endpoint = endpoint;
    this.server = server;
    this.acceptor =
        Thread.ofPlatform().daemon().name("floe-accept " + endpoint).unstarted(this::accept);
  }

  static SocketListener bind(
      Endpoint address, Transport.Identity self, HandlerTable handlers, WireOptions options) {
    InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
    if (resolved.isUnresolved()) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "cannot listen on " + address + ": the host name cannot be resolved");
    }
    ServerSocketChannel channel = null;
    SocketListener listener = null;
    try {
      channel = ServerSocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(resolved, BACKLOG);
      int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
      FrameServer server = new FrameServer(self, handlers, options);
      listener = new SocketListener(channel, new Endpoint(address.host(), port), server);
      listener.acceptor.start();
      return listener;
    } catch (IOException e) {
      throw cannotBind(address, e);
    } finally {
      if (listener == null && channel != null) {
        closeQuietly(channel);
      }
    }
  }

  private static FloeException cannotBind(Endpoint address, IOException e) {
    String why = String.valueOf(e.getMessage());
    if (e instanceof BindException && why.contains("in use")) {
      return new FloeException(
          ErrorCode.ADDRESS_IN_USE,
          "cannot listen on "
              + address
              + ": another process has this address; stop that process, or configure another port"
              + " (0 picks a free one)",
          e);
    }
    return new FloeException(
        ErrorCode.INVALID_CONFIG,
        "cannot listen on "
            + address
            + ": "
            + why
            + "; use an address of this host and a port that this user may open",
        e);
  }

  private void accept() {
    while (channel.isOpen()) {
      SocketChannel accepted = null;
      SocketLink link = null;
      try {
        accepted = channel.accept();
        link = new SocketLink(accepted);
        server.accept(link);
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        if (!channel.isOpen()) {
          return;
        }
        // For example no file descriptors or threads left: existing connections go on, and some of
        // them will end.
        server.log().refused(endpoint.toString(), "accepting failed: " + e);
        LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
      } finally {
        if (link == null && accepted != null) {
          closeQuietly(accepted);
        }
      }
    }
  }

  private static void closeQuietly(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      WireLog.LOG.debug("closing a channel reported {}", e.toString());
    }
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  /// Connections that are open now.
  public int connectionCount() {
    return server.connectionCount();
  }

  /// Connections that were closed since the start because of what the peer sent or how slow it was.
  public long refusedCount() {
    return server.log().count();
  }

  /// Ends everything; when it returns the port is free. The system keeps it until the accepting
  /// thread has left the channel, so that one is waited for.
  @Override
  public void close() {
    closeQuietly(channel);
    awaitAcceptor();
    server.close();
  }

  private void awaitAcceptor() {
    boolean wasInterrupted = false;
    while (acceptor.isAlive() && Thread.currentThread() != acceptor) {
      try {
        acceptor.join();
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
