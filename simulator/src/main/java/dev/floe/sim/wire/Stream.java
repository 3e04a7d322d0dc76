package dev.floe.sim.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One direction of a connection: bytes arrive in order or not at all.
///
/// What is lost or meets a cut link is sent again after a timeout that doubles; when that goes on
/// for too long the connection breaks, as with TCP. A writer waits while too much is under way.
final class Stream {
  private static final int WINDOW_BYTES = 256 * 1024;
  private static final long RETRY_NANOS = 200_000_000L;
  private static final long GIVE_UP_NANOS = 15_000_000_000L;

  private final SimNetwork network;
  private final String from;
  private final String to;
  private final SplittableRandom random;
  private final ArrayDeque<Chunk> underWay = new ArrayDeque<>();
  private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
  private final List<Thread> waiters = new ArrayList<>();
  private long lastArrivalNanos;
  private long unreadBytes;
  private boolean isPumping;
  private boolean hasEnded;
  private boolean hasEndArrived;
  private boolean isReaderGone;
  private @Nullable String broken;
  private @Nullable Runnable onBroken;

  Stream(SimNetwork network, String from, String to) {
    this.network = network;
    this.from = from;
    this.to = to;
    this.random = network.random(from, to);
  }

  /// Something sent: bytes, or the end of the stream.
  private record Chunk(ByteBuffer bytes, long sentNanos, long dueNanos, boolean isEnd) {}

  /// Called when the stream breaks by itself.
  void onBroken(Runnable action) {
    onBroken = action;
  }

  void write(ByteBuffer[] parts) throws IOException {
    int length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    byte[] bytes = new byte[length];
    int at = 0;
    for (ByteBuffer part : parts) {
      int count = part.remaining();
      part.get(bytes, at, count);
      at += count;
    }
    while (unreadBytes > WINDOW_BYTES && broken == null && !isReaderGone && !hasEnded) {
      await();
    }
    checkWritable();
    unreadBytes += length;
    network.simulation().message(from + ">" + to, "bytes", Arrays.hashCode(bytes));
    send(new Chunk(ByteBuffer.wrap(bytes), network.simulation().nanos(), arrivalNanos(), false));
  }

  private void checkWritable() throws IOException {
    if (broken != null) {
      throw new IOException(broken);
    }
    if (hasEnded) {
      throw new AsynchronousCloseException();
    }
    if (isReaderGone) {
      throw new IOException("the other side has closed the connection");
    }
  }

  /// Ends the stream after what was written.
  void end() {
    if (!hasEnded) {
      hasEnded = true;
      send(new Chunk(ByteBuffer.allocate(0), network.simulation().nanos(), arrivalNanos(), true));
      wakeAll();
    }
  }

  private long arrivalNanos() {
    long due = network.simulation().nanos() + network.latency(from, to);
    for (long retry = RETRY_NANOS;
        random.nextDouble() < network.conditions(from, to).loss() && retry < GIVE_UP_NANOS;
        retry *= 2) {
      due += retry;
    }
    lastArrivalNanos = Math.max(lastArrivalNanos, due);
    return lastArrivalNanos;
  }

  private void send(Chunk chunk) {
    underWay.add(chunk);
    if (!isPumping) {
      isPumping = true;
      pumpAt(chunk.dueNanos(), RETRY_NANOS, 0);
    }
  }

  private void pumpAt(long dueNanos, long retryNanos, long stalledNanos) {
    network.onWire(
        dueNanos - network.simulation().nanos(), "bytes", () -> pump(retryNanos, stalledNanos));
  }

  private void pump(long retryNanos, long stalledNanos) {
    if (broken != null) {
      return;
    }
    if (network.isCut(from, to)) {
      if (stalledNanos > GIVE_UP_NANOS) {
        breakOff("the connection from " + from + " to " + to + " timed out");
        if (onBroken != null) {
          onBroken.run();
        }
      } else {
        pumpAt(
            network.simulation().nanos() + retryNanos, 2 * retryNanos, stalledNanos + retryNanos);
      }
      return;
    }
    Chunk chunk = underWay.remove();
    if (!chunk.isEnd()) {
      network.watcher().arrived(from, to, FrameWords.of(chunk.bytes()), chunk.sentNanos());
    }
    arrived.add(chunk.bytes());
    hasEndArrived |= chunk.isEnd();
    wakeAll();
    Chunk next = underWay.peek();
    isPumping = next != null;
    if (next != null) {
      pumpAt(Math.max(next.dueNanos(), network.simulation().nanos()), RETRY_NANOS, 0);
    }
  }

  int read(ByteBuffer target) throws IOException {
    while (true) {
      if (isReaderGone) {
        throw new AsynchronousCloseException();
      }
      ByteBuffer first = arrived.peek();
      if (first != null && first.hasRemaining()) {
        return take(first, target);
      }
      if (first != null) {
        arrived.remove();
      } else if (hasEndArrived) {
        return -1;
      } else if (broken != null) {
        throw new IOException(broken);
      } else {
        await();
      }
    }
  }

  private int take(ByteBuffer first, ByteBuffer target) {
    int count = Math.min(first.remaining(), target.remaining());
    target.put(first.slice(first.position(), count));
    first.position(first.position() + count);
    unreadBytes -= count;
    wakeAll();
    return count;
  }

  /// The reading side is gone; the writer learns it when it writes.
  void endReading() {
    isReaderGone = true;
    wakeAll();
  }

  /// Both sides see an error from now on.
  void breakOff(String why) {
    if (broken == null) {
      broken = why;
      underWay.clear();
      wakeAll();
    }
  }

  /// Waits for a change. Whoever is interrupted leaves, as from a channel of the JDK.
  private void await() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
    waiters.add(Thread.currentThread());
    LockSupport.park();
  }

  private void wakeAll() {
    List<Thread> all = List.copyOf(waiters);
    waiters.clear();
    all.forEach(LockSupport::unpark);
  }
}
