package dev.floe.core.time;

import java.time.Duration;

/// An absolute point of monotonic time by which an operation has to end.
///
/// A deadline is passed down unchanged: a retry or a step never gets more time than its caller has
/// left.
public final class Deadline {
  /// Differences of two deadlines and of a deadline and now never overflow.
  private static final Duration TIMEOUT_MAX = Duration.ofNanos(1L << 61);

  private final Ticker ticker;
  private final long atNanos;

  private Deadline(Ticker ticker, long atNanos) {
    this.ticker = ticker;
    this.atNanos = atNanos;
  }

  /// The deadline that lies `timeout` ahead on `ticker`; a negative timeout has passed already, one
  /// beyond 73 years counts as that long.
  public static Deadline after(Ticker ticker, Duration timeout) {
    return new Deadline(ticker, ticker.nanos() + bounded(timeout));
  }

  private static long bounded(Duration timeout) {
    Duration upper = timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout;
    return upper.compareTo(TIMEOUT_MAX.negated()) < 0 ? -TIMEOUT_MAX.toNanos() : upper.toNanos();
  }

  /// Nanoseconds left, 0 when none.
  public long remainingNanos() {
    return Math.max(0, atNanos - ticker.nanos());
  }

  /// Milliseconds left, rounded up, so that a running deadline never shows 0.
  public long remainingMillis() {
    return (remainingNanos() + 999_999) / 1_000_000;
  }

  /// Whether no time is left.
  public boolean isExpired() {
    return remainingNanos() == 0;
  }

  /// Whether this deadline comes before one on the same ticker; reads no clock.
  public boolean isBefore(Deadline other) {
    return atNanos - other.atNanos < 0;
  }

  /// The earlier of this deadline and one that lies `timeout` ahead.
  public Deadline atMost(Duration timeout) {
    long other = ticker.nanos() + bounded(timeout);
    return other - atNanos < 0 ? new Deadline(ticker, other) : this;
  }
}
