package dev.floe.sim.kernel;

import dev.floe.core.time.Ticker;
import java.util.PriorityQueue;

/// The event loop of a run: events in the order of virtual time, then of their making.
///
/// Confined to the thread of the run.
public final class Scheduler implements Ticker {
  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private final Trace trace;
  private long nowNanos;
  private long made;

  public Scheduler(Trace trace) {
    this.trace = trace;
  }

  /// Virtual nanoseconds since the start of the run.
  @Override
  public long nanos() {
    return nowNanos;
  }

  /// Runs `action` when `delayNanos` have passed; a negative delay counts as 0.
  ///
  /// @param what a constant name for the trace
  public void after(long delayNanos, String what, Runnable action) {
    queue.add(new Event(nowNanos + Math.max(0, delayNanos), made++, what, action));
  }

  /// Runs the next event that is due by `untilNanos`.
  ///
  /// @return false when there is none; time is `untilNanos` then
  public boolean step(long untilNanos) {
    Event next = queue.peek();
    if (next == null || next.atNanos > untilNanos) {
      nowNanos = Math.max(nowNanos, untilNanos);
      return false;
    }
    queue.remove();
    nowNanos = next.atNanos;
    trace.step(nowNanos, next.order, next.what);
    next.action.run();
    return true;
  }

  private record Event(long atNanos, long order, String what, Runnable action)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }
}
