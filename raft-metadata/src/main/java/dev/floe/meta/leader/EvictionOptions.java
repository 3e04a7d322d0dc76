package dev.floe.meta.leader;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;

/// When memory replicas are evicted.
///
/// @param highWatermark share of the memory in use above which eviction begins, above 0 and up to 1
/// @param share share of the memory that it frees below that, 0 (never evict) up to the watermark
public record EvictionOptions(double highWatermark, double share) {
  /// Above 90 %, down to 85 %.
  public static final EvictionOptions DEFAULT = new EvictionOptions(0.90, 0.05);

  public EvictionOptions {
    if (!(highWatermark > 0 && highWatermark <= 1 && share >= 0 && share <= highWatermark)) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "eviction above "
              + highWatermark
              + " of the memory by "
              + share
              + " is not possible: the first is above 0 and up to 1, the second 0 to the first");
    }
  }
}
