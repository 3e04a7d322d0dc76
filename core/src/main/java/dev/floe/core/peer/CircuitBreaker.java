package dev.floe.core.peer;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// Decides whether a peer is worth calling: after some failures in a row it is left alone for a
/// pause that doubles with every failed probe, and one success ends the pause.
///
/// Closed: all calls pass, consecutive failures are counted. Open: none passes until the pause is
/// over. Half-open: one call passes as a probe, the others do not. Only the probe's failure counts
/// while the breaker is not closed, so late failures of old calls do not lengthen the pause; any
/// success closes it. Soft state; safe for many threads; reads no clock but its ticker.
public final class CircuitBreaker {
  private enum State {
    CLOSED,
    OPEN,
    HALF_OPEN
  }

  private final Ticker ticker;
  private final Settings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.CLOSED;
  private int failures;
  private long pauseNanos;
  private long nextAtNanos;
  private long probeNumber;

  public CircuitBreaker(Ticker ticker, Settings settings) {
    this.ticker = ticker;
    this.settings = settings;
    this.pauseNanos = settings.pauseMin().toNanos();
  }

  /// When a breaker opens and for how long.
  ///
  /// @param failuresToOpen failures in a row, at least 1
  /// @param pauseMin the first pause
  /// @param pauseMax what the pause grows to; also how long a probe may stay without an outcome
  ///     before another call may probe
  public record Settings(int failuresToOpen, Duration pauseMin, Duration pauseMax) {
    /// Five failures; 200 ms to 10 s.
    public static final Settings STANDARD =
        new Settings(5, Duration.ofMillis(200), Duration.ofSeconds(10));

    public Settings {
      if (failuresToOpen < 1 || pauseMin.isNegative() || pauseMin.compareTo(pauseMax) > 0) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "a circuit breaker needs at least 1 failure and 0 <= pauseMin <= pauseMax, not "
                + failuresToOpen
                + ", "
                + pauseMin
                + ", "
                + pauseMax);
      }
    }
  }

  /// Whether a call may be made now.
  public sealed interface Decision {
    /// It may; its outcome must be told to the breaker.
    ///
    /// @param probeNumber 0 for a call while closed, else which probe it is
    record Allowed(long probeNumber) implements Decision {}

    /// It may not.
    ///
    /// @param retryAfter when the next call has a chance
    /// @param failures how many there were in a row
    record Refused(Duration retryAfter, int failures) implements Decision {}
  }

  /// Asks for one call.
  public Decision ask() {
    lock.lock();
    try {
      long now = ticker.nanos();
      return switch (state) {
        case CLOSED -> new Decision.Allowed(0);
        case OPEN, HALF_OPEN -> {
          if (now - nextAtNanos < 0) {
            yield new Decision.Refused(Duration.ofNanos(nextAtNanos - now), failures);
          }
          state = State.HALF_OPEN;
          // A probe whose outcome never comes must not keep the breaker shut for ever.
          nextAtNanos = now + settings.pauseMax().toNanos();
          yield new Decision.Allowed(++probeNumber);
        }
      };
    } finally {
      lock.unlock();
    }
  }

  /// The peer answered.
  public void succeeded() {
    lock.lock();
    try {
      state = State.CLOSED;
      failures = 0;
      pauseNanos = settings.pauseMin().toNanos();
    } finally {
      lock.unlock();
    }
  }

  /// The peer could not be reached or did not answer.
  public void failed(Decision.Allowed call) {
    lock.lock();
    try {
      switch (state) {
        case CLOSED -> {
          failures++;
          if (failures >= settings.failuresToOpen()) {
            open();
          }
        }
        case HALF_OPEN -> {
          if (call.probeNumber() == probeNumber) {
            failures++;
            open();
          }
        }
        case OPEN -> {
          // The failure of a call that began before the breaker opened: nothing new.
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// The call ended without telling anything about the peer, for example because its caller was
  /// interrupted: if it was the probe, the next call may probe at once.
  public void abandoned(Decision.Allowed call) {
    lock.lock();
    try {
      if (state == State.HALF_OPEN && call.probeNumber() == probeNumber) {
        state = State.OPEN;
        nextAtNanos = ticker.nanos();
      }
    } finally {
      lock.unlock();
    }
  }

  private void open() {
    state = State.OPEN;
    nextAtNanos = ticker.nanos() + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, settings.pauseMax().toNanos());
  }
}
