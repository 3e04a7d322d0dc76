package dev.floe.sim.vthread;

import dev.floe.sim.boot.Hooks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Runs virtual threads one at a time, in an order drawn from the seed, in virtual time.
///
/// Time stands still while a thread runs; each step then takes a few random microseconds, and when
/// nothing can run time jumps to the next timer. Everything here is confined to the carrier and the
/// simulated thread it runs, except `execute`, which the JVM's unblocker thread may call too.
final class VirtualScheduler {
  private final TraceHash trace;
  private final SplittableRandom choices;
  private final long stepNanosMax;
  private final long lastStep;
  private final ThreadRegistry threads;
  private final PriorityQueue<SimTimer> timers = new PriorityQueue<>();
  private final ConcurrentLinkedQueue<Runnable> external = new ConcurrentLinkedQueue<>();
  private final List<SimThread> atMonitor = new ArrayList<>();
  private SimThread[] runnable = new SimThread[256];
  private int runnableCount;
  private @Nullable SimThread current;
  private long nanos = 1_000_000_000L;
  private long timerNumber;
  private long timersFired;
  private long unblocks;
  private long preemptions;
  private final AtomicLong progress = new AtomicLong();
  private boolean isStopped;

  VirtualScheduler(SimOptions options, TraceHash trace) {
    this.trace = trace;
    this.choices = new Seeds(options.seed()).stream("schedule");
    this.stepNanosMax = options.pace().stepNanosMax();
    this.lastStep = options.sink() == null ? Long.MAX_VALUE : options.sink().lastStep();
    this.threads = new ThreadRegistry(options.seed());
  }

  long nanos() {
    return nanos;
  }

  /// Lets time pass for the running thread, which does not wait: what it does takes that long.
  void spend(long spentNanos) {
    nanos += spentNanos;
  }

  /// The running thread is about to let others run.
  void preempted() {
    preemptions++;
  }

  @Nullable SimThread current() {
    return current;
  }

  ThreadRegistry threads() {
    return threads;
  }

  /// Grows as long as the carrier gets anywhere; read by the watchdog.
  long progress() {
    return progress.get();
  }

  RunCounters counters() {
    return new RunCounters(trace.steps(), timersFired, threads.count(), unblocks, preemptions);
  }

  void stop() {
    isStopped = true;
  }

  // --- threads and timers ---

  Thread spawn(Incarnation owner, String name, Runnable body) {
    Thread thread = threads.create(owner, name, body, null);
    thread.start();
    return thread;
  }

  SimTimer timer(Incarnation owner, long delayNanos, SimTimer.Work work) {
    SimTimer timer =
        new SimTimer(this, nanos + Math.max(0, delayNanos), ++timerNumber, owner, work);
    timers.add(timer);
    return timer;
  }

  /// What the JDK schedules itself is short and runs on the carrier.
  ScheduledFuture<?> jdkTimer(Incarnation owner, long delayNanos, Runnable action) {
    return timer(owner, delayNanos, new SimTimer.Work("wait", action, false));
  }

  /// A thread can go on (then `work` is its continuation), or a task wants a thread.
  void execute(Incarnation owner, Runnable work) {
    if (!Hooks.isSimulated()) {
      external.add(work);
      return;
    }
    if (owner.isDead()) {
      return;
    }
    SimThread thread = threads.byContinuation(work);
    if (thread == null) {
      spawn(owner, "async", work);
    } else {
      makeRunnable(thread);
    }
  }

  private void makeRunnable(SimThread thread) {
    if (thread.owner.isPaused) {
      thread.owner.heldThreads.add(thread);
      return;
    }
    if (runnableCount == runnable.length) {
      runnable = Arrays.copyOf(runnable, runnableCount * 2);
    }
    runnable[runnableCount++] = thread;
  }

  // --- life of incarnations ---

  void kill(Incarnation incarnation) {
    incarnation.die();
    threads.forget(incarnation);
    atMonitor.removeIf(t -> t.owner == incarnation);
  }

  void pause(Incarnation incarnation) {
    incarnation.isPaused = true;
  }

  void resume(Incarnation incarnation) {
    incarnation.isPaused = false;
    incarnation.heldThreads.forEach(this::makeRunnable);
    incarnation.heldThreads.clear();
    timers.addAll(incarnation.heldTimers);
    incarnation.heldTimers.clear();
  }

  // --- the loop ---

  /// Runs until `stop`, or until the limit of virtual time, or the last step that somebody wants, or until there is nothing to do.
  End loop(long untilNanos) {
    while (!isStopped) {
      progress.lazySet(progress.getPlain() + 1);
      if (nanos >= untilNanos) {
        return End.TIME_LIMIT;
      }
      if (trace.steps() >= lastStep) {
        return End.LAST_STEP;
      }
      if (runnableCount == 0) {
        if (!jumpToNextTimer()) {
          return End.NOTHING_TO_DO;
        }
      } else {
        fireDueTimers();
        step();
      }
    }
    return End.STOPPED;
  }

  private boolean jumpToNextTimer() {
    SimTimer timer = timers.poll();
    if (timer == null) {
      return false;
    }
    if (isWanted(timer)) {
      nanos = Math.max(nanos, timer.atNanos);
      fire(timer);
    }
    return true;
  }

  private void fireDueTimers() {
    for (SimTimer t = timers.peek(); t != null && t.atNanos <= nanos; t = timers.peek()) {
      timers.remove();
      if (isWanted(t)) {
        fire(t);
      }
    }
  }

  /// Forgets all threads and timers. Called on the carrier when the run is over and it has been seen
  /// what they do.
  void close() {
    while (Hooks.isUnblocking()) {
      Thread.onSpinWait();
    }
    threads.close();
    external.clear();
    timers.clear();
    atMonitor.clear();
    runnable = new SimThread[0];
    runnableCount = 0;
  }

  private static boolean isWanted(SimTimer timer) {
    return !timer.isCancelled() && !timer.owner.isDead();
  }

  private void fire(SimTimer timer) {
    timersFired++;
    trace.mix(nanos);
    trace.mix(timer.number);
    if (trace.isTraced()) {
      trace.line(nanos, "T", timer.number + " " + timer.owner + " " + timer.what);
    }
    if (timer.owner.isPaused) {
      timer.owner.heldTimers.add(timer);
      return;
    }
    timer.fire();
    takeUnblocked();
  }

  private void step() {
    if (runnableCount == 0) {
      return;
    }
    int chosen = choices.nextInt(runnableCount);
    SimThread thread = runnable[chosen];
    runnable[chosen] = runnable[--runnableCount];
    if (thread.owner.isDead()) {
      return;
    }
    if (thread.owner.isPaused) {
      thread.owner.heldThreads.add(thread);
      return;
    }
    nanos += 1 + choices.nextLong(stepNanosMax);
    trace.step(nanos, thread.number);
    if (trace.isTraced()) {
      trace.line(nanos, "R", thread.toString());
    }
    current = thread;
    try {
      thread.continuation.run();
    } finally {
      current = null;
    }
    if (JdkThreads.isAtMonitor(thread.virtual)) {
      if (!thread.isAtMonitor) {
        thread.isAtMonitor = true;
        atMonitor.add(thread);
      }
    } else if (thread.virtual.getState() == Thread.State.TERMINATED) {
      threads.forget(thread);
    }
    takeUnblocked();
  }

  /// After a monitor was released the JVM hands the threads that waited for it to a thread of its
  /// own, which makes them runnable at some real time. Wait until it is done, then take them in an
  /// order of ours.
  private void takeUnblocked() {
    if (atMonitor.isEmpty() && external.isEmpty()) {
      return;
    }
    for (SimThread thread : atMonitor) {
      while (JdkThreads.isOnWaitingList(thread.virtual)) {
        Thread.onSpinWait();
      }
    }
    while (Hooks.isUnblocking()) {
      Thread.onSpinWait();
    }
    List<SimThread> arrived = new ArrayList<>();
    for (Runnable work = external.poll(); work != null; work = external.poll()) {
      SimThread thread = threads.byContinuation(work);
      if (thread != null) {
        arrived.add(thread);
      }
    }
    arrived.sort(Comparator.comparingInt(t -> t.number));
    for (SimThread thread : arrived) {
      if (!thread.isAtMonitor) {
        throw new IllegalStateException(
            "thread " + thread + " was woken by a thread from outside of the simulation");
      }
      unblocks++;
      makeRunnable(thread);
    }
    atMonitor.removeIf(
        thread -> {
          thread.isAtMonitor = JdkThreads.isAtMonitor(thread.virtual);
          return !thread.isAtMonitor;
        });
  }

  /// Why the loop ended.
  enum End {
    STOPPED,
    TIME_LIMIT,
    LAST_STEP,
    NOTHING_TO_DO
  }
}
