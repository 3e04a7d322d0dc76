package dev.floe.core.wire;

import dev.floe.core.time.Deadline;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Closes links whose read or write has passed its deadline, because a blocking channel cannot be
/// told how long to wait.
///
/// It looks at all watched links every few milliseconds: setting a deadline is then one store on the
/// path of every frame, instead of a timer to arm and cancel. Its thread lives while there is
/// something to watch and ends by itself.
final class Watchdog {
  private static final long PERIOD_NANOS = 20_000_000L;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
  private boolean isRunning;

  /// Watches a link until its guard is released.
  Guard watch(ByteLink link) {
    return watch(link, () -> {});
  }

  /// Watches a link until its guard is released.
  ///
  /// @param beforeClose run once when a deadline has passed, before the link is closed, so that
  ///     whoever sees the end finds it counted; must be quick
  Guard watch(ByteLink link, Runnable beforeClose) {
    Guard guard = new Guard(link, beforeClose);
    lock.lock();
    try {
      guards.add(guard);
      if (!isRunning) {
        Thread.ofPlatform().daemon().name("floe-wire-watchdog").start(this::run);
        isRunning = true;
      }
    } finally {
      lock.unlock();
    }
    return guard;
  }

  private void run() {
    while (hasWork()) {
      LockSupport.parkNanos(PERIOD_NANOS);
      guards.forEach(Guard::check);
    }
  }

  private boolean hasWork() {
    lock.lock();
    try {
      isRunning = !guards.isEmpty();
      return isRunning;
    } finally {
      lock.unlock();
    }
  }

  /// The deadlines of one link: one for its reader, one for its writer.
  final class Guard {
    private final ByteLink link;
    private final Runnable beforeClose;
    private volatile @Nullable Deadline readBy;
    private volatile @Nullable Deadline writeBy;
    private volatile boolean hasStruck;

    private Guard(ByteLink link, Runnable beforeClose) {
      this.link = link;
      this.beforeClose = beforeClose;
    }

    /// Bounds what is being read; null ends the bound.
    void readBy(@Nullable Deadline deadline) {
      readBy = deadline;
    }

    /// Bounds what is being written; null ends the bound.
    void writeBy(@Nullable Deadline deadline) {
      writeBy = deadline;
    }

    /// Whether the link was closed because a deadline had passed.
    boolean hasStruck() {
      return hasStruck;
    }

    /// Ends watching.
    void release() {
      guards.remove(this);
    }

    private void check() {
      Deadline read = readBy;
      Deadline write = writeBy;
      boolean isReadLate = read != null && read.isExpired() && readBy == read;
      boolean isWriteLate = write != null && write.isExpired() && writeBy == write;
      if (isReadLate || isWriteLate) {
        hasStruck = true;
        release();
        try {
          beforeClose.run();
        } finally {
          link.close();
        }
      }
    }
  }
}
