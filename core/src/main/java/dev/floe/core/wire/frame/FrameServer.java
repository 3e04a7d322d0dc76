package dev.floe.core.wire.frame;

import dev.floe.core.time.Deadline;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The serving side under any listener: owns the connections, bounds them together, and ends them.
public final class FrameServer implements AutoCloseable {
  private final Transport.Identity self;
  private final HandlerTable handlers;
  private final WireOptions options;
  private final WireLog log;
  private final Watchdog watchdog = new Watchdog();
  private final ReaderThreads readers;
  private final Semaphore memory;
  private final Set<ServerConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connectionCount = new AtomicInteger();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final ReentrantLock drainLock = new ReentrantLock();
  private final Condition drained = drainLock.newCondition();
  private final AtomicInteger running = new AtomicInteger();

  public FrameServer(Transport.Identity self, HandlerTable handlers, WireOptions options) {
    this.self = self;
    this.handlers = handlers;
    this.options = options;
    this.log = new WireLog(options.ticker());
    this.readers = new ReaderThreads(options.bounds().platformReadersMax());
    // Fair, so that a large request is not overtaken for ever by small ones.
    this.memory = new Semaphore((int) options.bounds().inFlightBytesMax(), true);
  }

  /// Serves a fresh link until it ends, or closes it at once when there are too many.
  public void accept(ByteLink link) {
    if (connectionCount.incrementAndGet() > options.bounds().connectionsMax()) {
      connectionCount.decrementAndGet();
      // Counted before the peer can see the end, so that whoever saw it finds it counted.
      log.refused(
          link.remote(),
          "this node serves at most " + options.bounds().connectionsMax() + " connections");
      link.close();
      return;
    }
    enter();
    ServerConnection connection = null;
    boolean isStarted = false;
    try {
      ServerConnection fresh = new ServerConnection(this, link);
      connection = fresh;
      connections.add(fresh);
      readers.start("floe-server-reader " + link.remote(), () -> run(fresh));
      isStarted = true;
    } finally {
      if (!isStarted) {
        // Out of memory or threads: this connection ends, the others go on.
        link.close();
        if (connection != null) {
          connection.close();
          connections.remove(connection);
        }
        end();
      }
    }
    if (isClosed.get()) {
      connection.close();
    }
  }

  private void run(ServerConnection connection) {
    try {
      connection.serve();
    } finally {
      remove(connection);
    }
  }

  private void remove(ServerConnection connection) {
    connection.close();
    connections.remove(connection);
    end();
  }

  private void end() {
    connectionCount.decrementAndGet();
    leave();
  }

  /// Counts a reader or handler that `close` has to wait for.
  void enter() {
    running.incrementAndGet();
  }

  /// Ends what `enter` began.
  void leave() {
    if (running.decrementAndGet() == 0) {
      drainLock.lock();
      try {
        drained.signalAll();
      } finally {
        drainLock.unlock();
      }
    }
  }

  Transport.Identity self() {
    return self;
  }

  HandlerTable handlers() {
    return handlers;
  }

  WireOptions options() {
    return options;
  }

  public WireLog log() {
    return log;
  }

  Watchdog watchdog() {
    return watchdog;
  }

  /// The memory that requests of all connections share, in bytes.
  Semaphore memory() {
    return memory;
  }

  Deadline after(Duration timeout) {
    return Deadline.after(options.ticker(), timeout);
  }

  public int connectionCount() {
    return connectionCount.get();
  }

  /// Ends all connections and waits, with a bound, until no reader and no handler runs.
  @Override
  public void close() {
    isClosed.set(true);
    connections.forEach(ServerConnection::close);
    long left = options.timeouts().drain().toNanos();
    drainLock.lock();
    try {
      while (running.get() > 0 && left > 0) {
        left = drained.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      drainLock.unlock();
    }
    int still = running.get();
    if (still > 0) {
      WireLog.LOG.warn(
          "{} was closed while {} of its threads still run after {} ms",
          self.node(),
          still,
          TimeUnit.NANOSECONDS.toMillis(options.timeouts().drain().toNanos()));
    }
  }
}
