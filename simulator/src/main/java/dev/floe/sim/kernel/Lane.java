package dev.floe.sim.kernel;

import java.util.ArrayDeque;

/// The single thread of a simulated process: runs its timers and deliveries, one at a time; it can
/// be paused, and killed.
///
/// A pause keeps what becomes due and runs it, in order, on resume: this is how a process returns
/// as a zombie. A kill drops everything that was planned; the next life is another incarnation.
public final class Lane {
  private final Scheduler scheduler;
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private long incarnation;
  private boolean isPaused;

  public Lane(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// Virtual nanoseconds since the start of the run.
  public long nanos() {
    return scheduler.nanos();
  }

  /// Runs `action` later, unless the process has died by then.
  public void after(long delayNanos, String what, Runnable action) {
    long mine = incarnation;
    scheduler.after(delayNanos, what, () -> run(mine, action));
  }

  /// Runs `action` now, or on resume when the process is paused.
  public void deliver(Runnable action) {
    run(incarnation, action);
  }

  /// Stops the process in its tracks.
  public void pause() {
    isPaused = true;
  }

  /// Lets it go on: everything that became due meanwhile runs now.
  public void resume() {
    isPaused = false;
    while (!isPaused && !held.isEmpty()) {
      Held next = held.removeFirst();
      run(next.incarnation, next.action);
    }
  }

  /// Ends this life: nothing planned so far will run. A new life may begin at once.
  public void kill() {
    incarnation++;
    isPaused = false;
    held.clear();
  }

  public boolean isPaused() {
    return isPaused;
  }

  private void run(long plannedBy, Runnable action) {
    if (plannedBy != incarnation) {
      return;
    }
    if (isPaused) {
      held.addLast(new Held(plannedBy, action));
    } else {
      action.run();
    }
  }

  private record Held(long incarnation, Runnable action) {}
}
