package dev.floe.core.wire.frame;

import dev.floe.core.time.Deadline;
import dev.floe.core.wire.ByteLink;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Closes links whose read or write has passed its deadline, because a blocking channel cannot be
/// told how long to wait.
///
/// Its thread sleeps until the earliest deadline it was told. Setting a deadline is one store and a
/// comparison on the path of every frame: only one that is earlier than what the thread sleeps for
/// wakes it, and lifting one does not, so a busy connection costs a look each second and an idle
/// one none. The thread lives while there is something to watch and ends by itself.
final class Watchdog {
  /// The longest sleep while there is a deadline, for tickers that do not move with this JVM's
  /// time.
  private static final long SLEEP_NANOS_MAX = 1_000_000_000L;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
  private boolean isRunning;
  private volatile @Nullable Thread thread;

  /// What the thread sleeps for, perhaps lifted since; null when it sleeps until it is woken.
  private final AtomicReference<@Nullable Deadline> next = new AtomicReference<>();

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
        Thread fresh = Thread.ofPlatform().daemon().name("floe-wire-watchdog").unstarted(this::run);
        thread = fresh;
        fresh.start();
        isRunning = true;
      }
    } finally {
      lock.unlock();
    }
    return guard;
  }

  private void run() {
    while (hasWork()) {
      Deadline known = next.get();
      sleep(known);
      if (next.get() == known) {
        guards.forEach(Guard::check);
        next.compareAndSet(known, earliest());
        // One that was set between the look and the change was compared with what was known before.
        wakeFor(earliest());
      }
    }
  }

  private @Nullable Deadline earliest() {
    Deadline earliest = null;
    for (Guard guard : guards) {
      earliest = earlier(earlier(earliest, guard.readBy), guard.writeBy);
    }
    return earliest;
  }

  private static @Nullable Deadline earlier(@Nullable Deadline one, @Nullable Deadline other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }

  private void sleep(@Nullable Deadline until) {
    if (until == null) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, Math.min(SLEEP_NANOS_MAX, Math.max(1, until.remainingNanos())));
    }
  }

  private void wakeFor(@Nullable Deadline deadline) {
    if (deadline == null) {
      return;
    }
    Deadline known = next.get();
    while (known == null || deadline.isBefore(known)) {
      if (next.compareAndSet(known, deadline)) {
        LockSupport.unpark(thread);
        return;
      }
      known = next.get();
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
      wakeFor(deadline);
    }

    /// Bounds what is being written; null ends the bound.
    void writeBy(@Nullable Deadline deadline) {
      writeBy = deadline;
      wakeFor(deadline);
    }

    /// Whether the link was closed because a deadline had passed.
    boolean hasStruck() {
      return hasStruck;
    }

    /// Ends watching.
    void release() {
      guards.remove(this);
      if (guards.isEmpty()) {
        // The last one lets the thread end.
        LockSupport.unpark(thread);
      }
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
