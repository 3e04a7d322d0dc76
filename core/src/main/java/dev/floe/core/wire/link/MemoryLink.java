package dev.floe.core.wire.link;

import dev.floe.core.wire.ByteLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// One end of a pair of bounded pipes in memory; behaves like a socket, but no thread is ever
/// interrupted in it.
public final class MemoryLink implements ByteLink {
  private static final int PIPE_BYTES = 64 * 1024;

  private final Pipe incoming;
  private final Pipe outgoing;
  private final String remote;
  private volatile boolean isOpen = true;

  private MemoryLink(Pipe incoming, Pipe outgoing, String remote) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.remote = remote;
  }

  /// Two ends of one connection.
  public record Pair(MemoryLink client, MemoryLink server) {
    /// Two new ends, named as the other sees them.
    public static Pair create(String client, String server) {
      Pipe toServer = new Pipe();
      Pipe toClient = new Pipe();
      return new Pair(
          new MemoryLink(toClient, toServer, server), new MemoryLink(toServer, toClient, client));
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return incoming.read(target);
  }

  @Override
  public void write(ByteBuffer[] parts) throws IOException {
    for (ByteBuffer part : parts) {
      while (part.hasRemaining()) {
        outgoing.write(part);
      }
    }
  }

  @Override
  public void endOutput() {
    outgoing.endWriting();
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public String remote() {
    return remote;
  }

  @Override
  public void close() {
    isOpen = false;
    outgoing.endWriting();
    incoming.endReading();
  }

  /// A ring of bytes.
  private static final class Pipe {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final byte[] ring = new byte[PIPE_BYTES];
    private long written;
    private long taken;
    private boolean hasWritingEnded;
    private boolean hasReadingEnded;

    int read(ByteBuffer target) throws IOException {
      lock.lock();
      try {
        while (written == taken && !hasWritingEnded && !hasReadingEnded) {
          changed.awaitUninterruptibly();
        }
        if (hasReadingEnded) {
          throw new AsynchronousCloseException();
        }
        if (written == taken) {
          return -1;
        }
        int from = (int) (taken % PIPE_BYTES);
        int available = (int) Math.min(written - taken, PIPE_BYTES - from);
        int step = Math.min(available, target.remaining());
        target.put(ring, from, step);
        taken += step;
        changed.signalAll();
        return step;
      } finally {
        lock.unlock();
      }
    }

    void write(ByteBuffer source) throws IOException {
      lock.lock();
      try {
        while (written - taken == PIPE_BYTES && !hasWritingEnded && !hasReadingEnded) {
          changed.awaitUninterruptibly();
        }
        if (hasWritingEnded) {
          throw new AsynchronousCloseException();
        }
        if (hasReadingEnded) {
          throw new IOException("the other side has closed the connection");
        }
        int from = (int) (written % PIPE_BYTES);
        int free = (int) Math.min(PIPE_BYTES - (written - taken), PIPE_BYTES - from);
        int step = Math.min(free, source.remaining());
        source.get(ring, from, step);
        written += step;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    void endWriting() {
      lock.lock();
      try {
        hasWritingEnded = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    void endReading() {
      lock.lock();
      try {
        hasReadingEnded = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
