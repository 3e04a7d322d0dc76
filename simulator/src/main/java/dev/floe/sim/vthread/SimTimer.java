package dev.floe.sim.vthread;

import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Something to do at a point of virtual time, in one incarnation.
final class SimTimer implements ScheduledFuture<Object> {
  final long atNanos;
  final long number;
  final Incarnation owner;
  final String what;
  final Runnable action;
  private final VirtualScheduler scheduler;
  private final boolean isThread;
  private boolean isCancelled;
  private boolean isFired;

  /// @param isThread whether the action is simulated code, which needs a thread of its own; what
  ///     the JDK schedules runs on the carrier
  SimTimer(VirtualScheduler scheduler, long atNanos, long number, Incarnation owner, Work work) {
    this.scheduler = scheduler;
    this.atNanos = atNanos;
    this.number = number;
    this.owner = owner;
    this.what = work.what();
    this.action = work.action();
    this.isThread = work.isThread();
  }

  /// What to do.
  record Work(String what, Runnable action, boolean isThread) {}

  void fire() {
    isFired = true;
    if (isThread) {
      scheduler.spawn(owner, what, action);
    } else {
      action.run();
    }
  }

  @Override
  public int compareTo(Delayed other) {
    SimTimer that = (SimTimer) other;
    return atNanos != that.atNanos
        ? Long.compare(atNanos, that.atNanos)
        : Long.compare(number, that.number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(atNanos - scheduler.nanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    if (isFired) {
      return false;
    }
    isCancelled = true;
    return true;
  }

  @Override
  public boolean isCancelled() {
    return isCancelled;
  }

  @Override
  public boolean isDone() {
    return isFired || isCancelled;
  }

  @Override
  public Object get() {
    throw new UnsupportedOperationException("a timer has no result");
  }

  @Override
  public Object get(long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException("a timer has no result");
  }
}
