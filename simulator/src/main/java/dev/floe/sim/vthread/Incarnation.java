package dev.floe.sim.vthread;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/// One life of one simulated process.
///
/// Killing it means that nothing of it is ever scheduled again: no `finally` runs, no file is
/// closed. A restart is a new incarnation. A paused one keeps what becomes runnable until it is
/// resumed, like a process in a long collection or stopped by a signal.
public final class Incarnation {
  final Pool pool;
  final List<SimThread> heldThreads = new ArrayList<>();
  final List<SimTimer> heldTimers = new ArrayList<>();
  boolean isPaused;
  private final String name;
  private final LocalClock clock;
  private volatile boolean isDead;

  Incarnation(VirtualScheduler scheduler, String name, LocalClock clock) {
    this.name = name;
    this.clock = clock;
    this.pool = new Pool(scheduler, this);
  }

  /// Its name in traces, e.g. `m1.2` for the third life of `m1`.
  public String name() {
    return name;
  }

  /// The clock of the machine that it runs on.
  public LocalClock clock() {
    return clock;
  }

  /// Whether it was killed.
  public boolean isDead() {
    return isDead;
  }

  void die() {
    isDead = true;
    heldThreads.clear();
    heldTimers.clear();
  }

  @Override
  public String toString() {
    return name;
  }

  /// What the JDK takes for the scheduler of the incarnation's virtual threads.
  ///
  /// JDK 25 asks a scheduler for a thread's timers when it is a `ForkJoinPool`. So a subclass owns
  /// both the run queue and every timed wait, without any change to the JDK. It has no threads.
  static final class Pool extends ForkJoinPool {
    private final VirtualScheduler scheduler;
    private final Incarnation owner;

    Pool(VirtualScheduler scheduler, Incarnation owner) {
      super(1);
      this.scheduler = scheduler;
      this.owner = owner;
    }

    @Override
    public void execute(Runnable work) {
      scheduler.execute(owner, work);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
      return scheduler.jdkTimer(owner, owner.clock.runNanos(unit.toNanos(delay)), work);
    }
  }
}
