package dev.floe.core.wire.link;

import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.frame.FrameServer;
import dev.floe.core.wire.frame.WireLog;
import java.io.IOException;
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
    InetSocketAddress resolved = ListenAddress.resolve(address);
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
      throw ListenAddress.refusal(address, e);
    } finally {
      if (listener == null && channel != null) {
        closeQuietly(channel);
      }
    }
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
