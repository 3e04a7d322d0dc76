package dev.floe.core.wire.frame;

import dev.floe.core.time.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts refused peers and logs at most one of them per second, so that a port scan cannot fill a
/// disk.
public final class WireLog {
  /// Where all of this protocol is logged.
  public static final Logger LOG = LoggerFactory.getLogger("dev.floe.wire");

  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final Ticker ticker;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong nextAtNanos;

  WireLog(Ticker ticker) {
    this.ticker = ticker;
    this.nextAtNanos = new AtomicLong(ticker.nanos());
  }

  /// Reports that the connection of `remote` was ended because of what it sent.
  public void refused(String remote, String why) {
    long total = count.incrementAndGet();
    long now = ticker.nanos();
    long next = nextAtNanos.get();
    if (now - next >= 0 && nextAtNanos.compareAndSet(next, now + PAUSE_NANOS)) {
      LOG.warn("closed the connection of {}: {} ({} refused so far)", remote, why, total);
    }
  }

  /// How many connections were refused.
  public long count() {
    return count.get();
  }
}
