package dev.floe.meta.leader;

import dev.floe.core.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// A ticker that moves when told to; starts near the overflow of its values on purpose.
final class FakeTicker implements Ticker {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);

  @Override
  public long nanos() {
    return nanos.get();
  }

  void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }
}
