package dev.floe.sim.vthread;

import dev.floe.sim.boot.Kernel;
import dev.floe.sim.boot.SimFiles;
import dev.floe.sim.boot.SimProbes;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Answers the calls of rewritten code from one scheduler. Confined like the scheduler.
final class SimKernel implements Kernel {
  private static final long EPOCH_MILLIS = 1_700_000_000_000L;

  private final VirtualScheduler scheduler;
  private final SimOptions options;
  private final TraceHash trace;
  private final Incarnation shared;
  private final SplittableRandom disk;
  private final long preemptBelow;
  private final int[] drawnNow = new int[4];
  private long drawnAtNanos;
  private long fsyncs;
  private boolean isExclusive;
  private @Nullable SimFiles files;
  private @Nullable SimProbes probes;

  SimKernel(VirtualScheduler scheduler, SimOptions options, TraceHash trace, Incarnation shared) {
    this.scheduler = scheduler;
    this.options = options;
    this.trace = trace;
    this.shared = shared;
    this.preemptBelow = (long) (Long.MIN_VALUE + options.pace().preemptShare() * 0x1p64);
    this.disk = new Seeds(options.seed()).stream("disk");
  }

  private Incarnation now() {
    SimThread current = scheduler.current();
    return current == null ? shared : current.owner;
  }

  @Override
  public long nanos() {
    return now().clock().nanos(scheduler.nanos());
  }

  @Override
  public long currentTimeMillis() {
    return EPOCH_MILLIS + nanos() / 1_000_000 + now().clock().wallOffsetMillis();
  }

  @Override
  public boolean platformStart(Thread thread) {
    if (thread.isVirtual()) {
      return false;
    }
    if (thread instanceof ForkJoinWorkerThread) {
      throw new IllegalStateException(
          "simulated code uses a ForkJoinPool of the JDK, which cannot be simulated: give the task an"
              + " executor");
    }
    Incarnation owner = options.sharedThreads().test(thread.getName()) ? shared : now();
    Thread standIn = scheduler.threads().create(owner, thread.getName(), thread, thread);
    standIn.setUncaughtExceptionHandler(
        (t, e) -> thread.getUncaughtExceptionHandler().uncaughtException(thread, e));
    standIn.start();
    return true;
  }

  @Override
  public void virtualMade(Thread thread) {
    scheduler.threads().adopt(now(), thread);
  }

  @Override
  public Thread standIn(Thread thread) {
    return scheduler.threads().standIn(thread);
  }

  @Override
  public Thread currentThread() {
    SimThread current = scheduler.current();
    return current == null || current.platform == null ? Thread.currentThread() : current.platform;
  }

  @Override
  public UUID randomUuid() {
    return new UUID((draw(1) & ~0xF000L) | 0x4000L, (draw(2) >>> 2) | (1L << 63));
  }

  @Override
  public long randomSeed() {
    return draw(3);
  }

  /// A number that depends on where and when it is drawn but not on how many were drawn before,
  /// since the first run in a JVM draws more: class initialisers do.
  private long draw(int kind) {
    SimThread current = scheduler.current();
    long place = current == null ? 0 : current.number;
    if (drawnAtNanos != scheduler.nanos()) {
      drawnAtNanos = scheduler.nanos();
      Arrays.fill(drawnNow, 0);
    }
    long at = Seeds.mix(Seeds.mix(options.seed(), place), scheduler.nanos());
    return Seeds.mix(Seeds.mix(at, kind), ++drawnNow[kind]);
  }

  /// Decided by the place alone, like `draw`: what only the first run does shifts no later decision.
  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the thread scheduler is ours
  public void yieldPoint(int site) {
    SimThread current = scheduler.current();
    if (preemptBelow == Long.MIN_VALUE || isExclusive || current == null) {
      return;
    }
    long at = Seeds.mix(Seeds.mix(options.seed(), current.number), scheduler.nanos());
    if (Seeds.mix(at, site) < preemptBelow) {
      scheduler.preempted();
      Thread.yield();
    }
  }

  /// Runs a check during which `yieldPoint` does nothing.
  void exclusively(Runnable check) {
    boolean was = isExclusive;
    isExclusive = true;
    try {
      check.run();
    } finally {
      isExclusive = was;
    }
  }

  @Override
  public ForkJoinPool asyncPool() {
    return now().pool;
  }

  @Override
  public Runnable later(long delayNanos, Runnable action) {
    SimTimer timer =
        scheduler.timer(
            now(), now().clock().runNanos(delayNanos), new SimTimer.Work("later", action, true));
    return () -> {
      var _ = timer.cancel(false);
    };
  }

  /// Makes simulated files known to rewritten code.
  void mount(SimFiles mounted) {
    files = mounted;
  }

  @Override
  public @Nullable SimFiles files() {
    return files;
  }

  /// Lets probes in production code be answered.
  void mount(SimProbes mounted) {
    probes = mounted;
  }

  @Override
  public @Nullable SimProbes probes() {
    return probes;
  }

  /// Real files are on a memory file system; what a sync costs is virtual time.
  @Override
  public void force(FileChannel channel, boolean withMetadata) {
    trace.mix(++fsyncs);
    if (options.pace().fsyncNanosMax() > 0 && Thread.currentThread().isVirtual()) {
      long until = scheduler.nanos() + 1 + disk.nextLong(options.pace().fsyncNanosMax());
      while (scheduler.nanos() < until) {
        LockSupport.parkNanos(until - scheduler.nanos());
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
      }
    }
  }
}
