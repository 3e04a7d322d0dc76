package dev.floe.store.client.transfer;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The bytes of requests that one client has under way, all values together.
///
/// Who holds some and wants more must not wait without giving back what it can: `tryAcquire` is for
/// that, `acquire` for those who hold none or whose bytes are given back by another thread.
public final class InFlightBytes {
  private static final int UNIT_BYTES = 1024;

  private final Semaphore units;
  private final int unitsMax;

  /// Bytes that may be under way at once.
  public InFlightBytes(long bytesMax) {
    unitsMax = Math.toIntExact(Math.max(1, bytesMax / UNIT_BYTES));
    units = new Semaphore(unitsMax, true);
  }

  /// Bytes under way now, in whole units.
  long bytes() {
    return (long) (unitsMax - units.availablePermits()) * UNIT_BYTES;
  }

  boolean tryAcquire(int bytes) {
    return units.tryAcquire(unitsOf(bytes));
  }

  void acquire(int bytes, Deadline deadline) {
    try {
      if (!units.tryAcquire(unitsOf(bytes), deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
        throw new FloeException(
            ErrorCode.DEADLINE_EXCEEDED,
            "the client's limit of bytes under way left no room in time; move fewer values at once");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(ErrorCode.CANCELLED, "interrupted while waiting for its turn", e);
    }
  }

  void release(int bytes) {
    units.release(unitsOf(bytes));
  }

  private int unitsOf(int bytes) {
    return Math.clamp((bytes + UNIT_BYTES - 1) / UNIT_BYTES, 1, unitsMax);
  }
}
