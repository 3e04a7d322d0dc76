package dev.floe.core.wire.link;

import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.frame.WireLog;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A blocking socket channel.
final class SocketLink implements ByteLink {
  /// Heap buffers go through the thread's direct buffer that the JDK keeps; a bounded step bounds
  /// what it keeps.
  private static final int HEAP_STEP_BYTES = 64 * 1024;

  private final SocketChannel channel;
  private final String remote;

  SocketLink(SocketChannel channel) throws IOException {
    this.channel = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    // Java writes an address without a name as /127.0.0.1:7401.
    this.remote = String.valueOf(channel.getRemoteAddress()).replaceFirst("^/", "");
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (target.isDirect() || target.remaining() <= HEAP_STEP_BYTES) {
      return channel.read(target);
    }
    int limit = target.limit();
    target.limit(target.position() + HEAP_STEP_BYTES);
    try {
      return channel.read(target);
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public void write(ByteBuffer[] parts) throws IOException {
    int first = 0;
    while (first < parts.length) {
      if (parts[first].hasRemaining()) {
        channel.write(parts, first, parts.length - first);
      } else {
        first++;
      }
    }
  }

  @Override
  public void endOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public String remote() {
    return remote;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is gone either way and nobody can act on it.
      WireLog.LOG.debug("closing the connection to {} reported {}", remote, e.toString());
    }
  }
}
