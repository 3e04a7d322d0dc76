package dev.floe.core.peer;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One node of a pool: its connections and its circuit breaker.
final class Peer {
  private static final Logger LOG = LoggerFactory.getLogger(Peer.class);
  private static final long SILENCE_NANOS_MIN =
      TimeUnit.MILLISECONDS.toNanos(Limits.PEER_SILENCE_MILLIS_MIN);

  private final Endpoint endpoint;
  private final Transport transport;
  private final Transport.Identity self;
  private final PeerPool.Options options;
  private final CircuitBreaker breaker;

  /// Held while a connection is opened, so that one opens and those who have none to use wait.
  private final ReentrantLock opening = new ReentrantLock();

  /// Whether a thread opens one more connection beside those that work.
  private final AtomicBoolean isWidening = new AtomicBoolean();

  /// No further connection is tried before, after one beside those that work could not be opened.
  private volatile long widenAtNanos;

  private final List<Line> lines = new CopyOnWriteArrayList<>();
  private volatile boolean isClosed;

  Peer(Endpoint endpoint, Transport transport, Transport.Identity self, PeerPool.Options options) {
    this.endpoint = endpoint;
    this.transport = transport;
    this.self = self;
    this.options = options;
    this.breaker = new CircuitBreaker(options.ticker(), options.breaker());
    this.widenAtNanos = options.ticker().nanos();
  }

  /// A connection and how many of its calls are unanswered.
  private record Line(Connection connection, AtomicInteger load, AtomicBoolean isLossCounted) {
    Line(Connection connection) {
      this(connection, new AtomicInteger(), new AtomicBoolean());
    }
  }

  Connection.PendingReply send(Connection.Call call) {
    CircuitBreaker.Decision.Allowed permit =
        switch (breaker.ask()) {
          case CircuitBreaker.Decision.Allowed allowed -> allowed;
          case CircuitBreaker.Decision.Refused refused -> throw refusal(refused);
        };
    Line line = line(call, permit);
    line.load().incrementAndGet();
    boolean isSent = false;
    try {
      Connection.PendingReply pending = line.connection().send(call);
      isSent = true;
      return new Tracked(pending, line, permit, options.ticker().nanos());
    } catch (FloeException e) {
      // On a connection that is still open nothing was sent: this caller was in a hurry, or others
      // kept the connection busy.
      settle(line, permit, e, e.code() == ErrorCode.DEADLINE_EXCEEDED && isUsable(line));
      throw e;
    } finally {
      if (!isSent) {
        line.load().decrementAndGet();
      }
    }
  }

  private Line line(Connection.Call call, CircuitBreaker.Decision.Allowed permit) {
    long startNanos = options.ticker().nanos();
    try {
      return choose(call.deadline());
    } catch (FloeException e) {
      boolean isHasty = call.deadline().isExpired() && isWithinPatience(startNanos);
      if (isHasty
          || isClosed
          || e.code() == ErrorCode.CANCELLED
          || e.code() == ErrorCode.OVERLOADED) {
        breaker.abandoned(permit);
      } else {
        // Also a wrong cluster or version: whoever listens there is not the peer that was meant.
        breaker.failed(permit);
      }
      throw e;
    }
  }

  private Line choose(Deadline deadline) {
    Line best = leastLoaded();
    if (best != null) {
      if ((best.load().get() > 0 || Probe.buggify("peer.widens-early"))
          && lines.size() < options.connectionsMax()) {
        widen();
      }
      return best;
    }
    awaitTurn(deadline);
    try {
      Line other = leastLoaded();
      return other == null ? open(deadline) : other;
    } finally {
      opening.unlock();
    }
  }

  private @Nullable Line leastLoaded() {
    Line best = null;
    boolean hasBroken = false;
    for (Line line : lines) {
      if (!line.connection().isOpen()) {
        hasBroken = true;
      } else if (best == null || line.load().get() < best.load().get()) {
        best = line;
      }
    }
    if (hasBroken) {
      lines.removeIf(line -> !line.connection().isOpen());
    }
    return best;
  }

  /// Opens one more connection in the background, for later calls: this one need not wait for what
  /// may take as long as `connectTimeout`, because there is one that works.
  private void widen() {
    if (options.ticker().nanos() - widenAtNanos < 0 || !isWidening.compareAndSet(false, true)) {
      return;
    }
    boolean isStarted = false;
    try {
      Thread.ofVirtual().name("floe-connect " + endpoint).start(this::openBeside);
      isStarted = true;
    } finally {
      if (!isStarted) {
        isWidening.set(false);
      }
    }
  }

  private void openBeside() {
    try {
      if (opening.tryLock()) {
        try {
          if (lines.size() < options.connectionsMax()) {
            open(Deadline.after(options.ticker(), options.connectTimeout()));
          }
        } finally {
          opening.unlock();
        }
      }
    } catch (FloeException e) {
      // Those that work serve; whether the node is alive is judged by calls alone.
      LOG.debug("no further connection to {}: {}", endpoint, e.getMessage());
      widenAtNanos = options.ticker().nanos() + options.breaker().pauseMin().toNanos();
    } finally {
      isWidening.set(false);
    }
  }

  private void awaitTurn(Deadline deadline) {
    try {
      if (!opening.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
        throw new FloeException(
            ErrorCode.UNAVAILABLE,
            "no connection to "
                + endpoint
                + " could be opened within the deadline; check that the node runs, or allow more time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(
          ErrorCode.CANCELLED, "interrupted while waiting for a connection to " + endpoint, e);
    }
  }

  private Line open(Deadline deadline) {
    if (isClosed) {
      throw PeerPool.closed(endpoint);
    }
    Line line =
        new Line(transport.connect(endpoint, self, deadline.atMost(options.connectTimeout())));
    lines.add(line);
    if (isClosed) {
      line.connection().close();
      throw PeerPool.closed(endpoint);
    }
    return line;
  }

  /// Whether so little time has passed that silence says nothing about the peer.
  private boolean isWithinPatience(long sinceNanos) {
    return options.ticker().nanos() - sinceNanos < SILENCE_NANOS_MIN;
  }

  private static boolean isUsable(Line line) {
    return line.connection().isOpen();
  }

  /// @param isHasty whether the peer had no fair chance to answer before the call was given up
  private void settle(
      Line line, CircuitBreaker.Decision.Allowed permit, FloeException e, boolean isHasty) {
    if ((e.code() == ErrorCode.DEADLINE_EXCEEDED && !isHasty)
        || (e.code() == ErrorCode.CONNECTION_LOST
            && line.isLossCounted().compareAndSet(false, true))) {
      // One lost connection fails all its calls but is one failure.
      breaker.failed(permit);
    } else {
      breaker.abandoned(permit);
    }
  }

  private FloeException refusal(CircuitBreaker.Decision.Refused refused) {
    Probe.sometimes("peer.circuit-open");
    long millis = Math.max(1, refused.retryAfter().plus(Duration.ofNanos(999_999)).toMillis());
    return new FloeException(
        ErrorCode.CIRCUIT_OPEN,
        endpoint
            + " failed "
            + refused.failures()
            + " times in a row; it will be tried again in "
            + millis
            + " ms",
        Map.of("endpoint", endpoint.toString(), "retryAfterMillis", Long.toString(millis)),
        /* cause= */ null);
  }

  int connectionCount() {
    return (int) lines.stream().filter(line -> line.connection().isOpen()).count();
  }

  /// Makes room for another peer in a full pool; true when this one had no connection. A caller that
  /// met it at the same moment is refused and may call again.
  boolean retireIfUnused() {
    if (connectionCount() > 0 || opening.isLocked()) {
      return false;
    }
    close();
    return true;
  }

  void close() {
    isClosed = true;
    lines.forEach(line -> line.connection().close());
  }

  /// A reply whose outcome is told to the breaker, once.
  private final class Tracked implements Connection.PendingReply {
    private final Connection.PendingReply pending;
    private final Line line;
    private final CircuitBreaker.Decision.Allowed permit;
    private final long sentAtNanos;
    private final AtomicBoolean isSettled = new AtomicBoolean();

    private Tracked(
        Connection.PendingReply pending,
        Line line,
        CircuitBreaker.Decision.Allowed permit,
        long sentAtNanos) {
      this.pending = pending;
      this.line = line;
      this.permit = permit;
      this.sentAtNanos = sentAtNanos;
    }

    @Override
    public Connection.Reply await() {
      try {
        Connection.Reply reply = pending.await();
        if (isSettled.compareAndSet(false, true)) {
          line.load().decrementAndGet();
          breaker.succeeded();
        }
        return reply;
      } catch (FloeException e) {
        if (isSettled.compareAndSet(false, true)) {
          line.load().decrementAndGet();
          if (pending.isAnswered()) {
            breaker.succeeded();
          } else {
            settle(line, permit, e, isWithinPatience(sentAtNanos));
          }
        }
        throw e;
      }
    }

    @Override
    public boolean isAnswered() {
      return pending.isAnswered();
    }
  }
}
