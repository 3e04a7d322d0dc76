package dev.floe.store.segment;

import dev.floe.core.error.Limits;
import java.util.concurrent.atomic.AtomicLong;

/// How much heap the tables of all segments of a runtime may take together: what clients write
/// decides how many ranges there are, and none of them may be able to exhaust the process.
///
/// Soft state; safe for many threads.
public final class RangeBudget {
  private final long bytesMax;
  private final AtomicLong usedBytes = new AtomicLong();

  /// @param bytesMax of heap for ranges
  public RangeBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// The share of this process's heap that ranges may take.
  public static RangeBudget ofThisProcess() {
    return new RangeBudget(Runtime.getRuntime().maxMemory() / Limits.RANGES_HEAP_SHARE);
  }

  /// Heap for one range of a value of `chunks` chunks: a checksum and two bits for each chunk.
  static long bytesOf(int chunks) {
    return Limits.RANGE_HEAP_BYTES + 4L * chunks + chunks / 4;
  }

  /// Gives `freed` bytes back and takes `wanted`, or does neither and returns false.
  boolean tryExchange(long freed, long wanted) {
    while (true) {
      long used = usedBytes.get();
      long after = used - freed + wanted;
      if (wanted > freed && after > bytesMax) {
        return false;
      }
      if (usedBytes.compareAndSet(used, after)) {
        return true;
      }
    }
  }

  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
  }

  /// What is taken now.
  long usedBytes() {
    return usedBytes.get();
  }

  long bytesMax() {
    return bytesMax;
  }
}
