package dev.floe.core.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until a test moves it; safe for many threads.
public final class FakeTicker implements Ticker {
  private final AtomicLong nanos;

  /// A clock with an arbitrary start, near the point where a long overflows so that code which
  /// compares nanoseconds the wrong way fails.
  public FakeTicker() {
    this(Long.MAX_VALUE - 1_000_000_000L);
  }

  public FakeTicker(long startNanos) {
    nanos = new AtomicLong(startNanos);
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  /// Moves the clock forward.
  public void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }
}
