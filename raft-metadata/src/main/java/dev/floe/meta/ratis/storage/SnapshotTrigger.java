package dev.floe.meta.ratis.storage;

import java.time.Duration;

/// Decides when a snapshot is due: after so many entries, so many bytes of log, or so much time
/// with at least one new entry. Pure; soft state of one node, used by its apply thread alone.
///
/// Ratis itself only counts entries, so a cluster with few but large entries would keep its whole
/// log.
public final class SnapshotTrigger {
  private final Thresholds thresholds;
  private long entries;
  private long bytes;
  private long sinceNanos;
  private long notBeforeNanos;

  /// @param nowNanos the present on the ticker that later calls use too
  public SnapshotTrigger(Thresholds thresholds, long nowNanos) {
    this.thresholds = thresholds;
    this.sinceNanos = nowNanos;
    this.notBeforeNanos = nowNanos;
  }

  /// Counts an applied entry.
  public void applied(long entryBytes) {
    entries++;
    bytes += entryBytes;
  }

  /// Whether a snapshot is due now.
  public boolean isDue(long nowNanos) {
    if (entries == 0 || nowNanos - notBeforeNanos < 0) {
      return false;
    }
    return entries >= thresholds.entries()
        || bytes >= thresholds.logBytes()
        || nowNanos - sinceNanos >= thresholds.age().toNanos();
  }

  /// A capture was taken: counting starts anew, also should its writing fail later.
  public void captured(long nowNanos) {
    entries = 0;
    bytes = 0;
    sinceNanos = nowNanos;
  }

  /// Writing the last capture failed: the next one is due after the pause, whatever the counts.
  public void failed(long nowNanos) {
    entries = Math.max(entries, thresholds.entries());
    notBeforeNanos = nowNanos + thresholds.retryPause().toNanos();
  }

  /// When a snapshot is due.
  ///
  /// @param retryPause after a failed write
  public record Thresholds(long entries, long logBytes, Duration age, Duration retryPause) {
    public static final Thresholds DEFAULT =
        new Thresholds(100_000, 64L << 20, Duration.ofMinutes(10), Duration.ofSeconds(30));

    /// The same thresholds shifted by a fraction, so that masters with the same entries do not all
    /// write at once.
    ///
    /// @param place this master's place among its peers, 0 for the first
    public Thresholds staggered(int place) {
      long shift = Math.min(place, 8);
      return new Thresholds(
          entries + entries * shift / 16,
          logBytes + logBytes * shift / 16,
          age.plus(age.multipliedBy(shift).dividedBy(16)),
          retryPause);
    }
  }
}
