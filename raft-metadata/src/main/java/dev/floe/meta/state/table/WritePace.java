package dev.floe.meta.state.table;

import dev.floe.core.error.Limits;
import dev.floe.meta.model.ObjectVersion;

/// When the timeouts of an unfinished write begin to count.
public final class WritePace {
  private WritePace() {}

  /// State time at which a writer of the slowest pace that counts has sent all bytes.
  /// Both timeouts begin here, so it is also the order in which unfinished writes are released.
  public static long millis(ObjectVersion version) {
    long transferMillis = version.content().sizeBytes() * 1000 / Limits.WRITE_BYTES_PER_SECOND_MIN;
    long sum = version.write().startMillis() + transferMillis;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
