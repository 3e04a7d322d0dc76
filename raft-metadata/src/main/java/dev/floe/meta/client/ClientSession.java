package dev.floe.meta.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.meta.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The numbers that one session gives to commands, and which of them are still unanswered. Safe for
/// many threads. Soft state of a client.
///
/// A number is outstanding from `take` to `answered`; `answeredBelow` is the smallest outstanding
/// one, so the masters keep the replies of all that may be asked for again and forget the rest.
final class ClientSession {
  private final SessionId id;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition roomFree = lock.newCondition();
  private final TreeSet<Long> outstanding = new TreeSet<>();
  private long next = 1;
  private volatile boolean isLost;

  /// @param id as the masters gave it
  ClientSession(SessionId id) {
    this.id = id;
  }

  SessionId id() {
    return id;
  }

  /// The masters no longer know this session.
  void lose() {
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  /// Takes `count` consecutive numbers, waiting while that would exceed the session's window.
  ///
  /// @throws FloeException `UNAVAILABLE` when there was no room before the deadline
  List<Long> take(int count, Deadline deadline) {
    lock.lock();
    try {
      while (!outstanding.isEmpty()
          && next + count - outstanding.first() > Limits.SESSION_WINDOW_MAX) {
        if (roomFree.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
          continue;
        }
        if (deadline.isExpired()) {
          throw new FloeException(
              ErrorCode.UNAVAILABLE,
              outstanding.size()
                  + " commands of this client are unanswered and the deadline passed before there"
                  + " was room for "
                  + count
                  + " more; nothing was sent");
        }
      }
      List<Long> taken = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        outstanding.add(next);
        taken.add(next++);
      }
      return taken;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(ErrorCode.CANCELLED, "the caller was interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  /// All below this are answered, or given up for good.
  long answeredBelow() {
    lock.lock();
    try {
      return outstanding.isEmpty() ? next : outstanding.first();
    } finally {
      lock.unlock();
    }
  }

  /// Nobody will ask for the replies of these again.
  void answered(List<Long> sequences) {
    lock.lock();
    try {
      outstanding.removeAll(sequences);
      roomFree.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
