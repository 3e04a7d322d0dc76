package dev.floe.sim.boot;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The calls that the agent puts into rewritten code.
///
/// Its state is static because rewritten code has nothing else to reach it by; there is at most one
/// simulation in a JVM at a time. A thread is part of it when it is virtual or the carrier.
public final class Hooks {
  private static final AtomicInteger PENDING_UNBLOCKS = new AtomicInteger();

  private static volatile @Nullable Kernel kernel;
  private static volatile @Nullable Thread carrier;
  private static volatile boolean isAgentLoaded;
  private static volatile boolean isPreempting;

  private Hooks() {}

  /// Told by the agent when it has rewritten the JDK.
  public static void agentLoaded() {
    isAgentLoaded = true;
  }

  /// Whether this JVM runs with the agent.
  public static boolean isAgentLoaded() {
    return isAgentLoaded;
  }

  /// Told by the agent when it puts points of preemption into what is loaded.
  public static void preempting() {
    isPreempting = true;
  }

  /// Whether threads can lose the processor where they synchronise.
  public static boolean isPreempting() {
    return isPreempting;
  }

  /// Begins a simulation; the calling thread becomes its carrier.
  public static void enter(Kernel newKernel) {
    if (kernel != null) {
      throw new IllegalStateException("a simulation runs in this JVM already");
    }
    PENDING_UNBLOCKS.set(0);
    carrier = Thread.currentThread();
    kernel = newKernel;
  }

  /// Ends the simulation.
  public static void leave() {
    kernel = null;
    carrier = null;
  }

  /// Whether the calling thread is part of a running simulation.
  public static boolean isSimulated() {
    return current() != null;
  }

  private static @Nullable Kernel current() {
    Kernel now = kernel;
    if (now == null) {
      return null;
    }
    Thread thread = Thread.currentThread();
    return thread.isVirtual() || thread == carrier ? now : null;
  }

  // --- preemption ---

  /// Before a point of synchronisation, in JVMs where the agent was asked for it.
  public static void yieldPoint(int site) {
    Kernel now = kernel;
    if (now != null && Thread.currentThread().isVirtual()) {
      now.yieldPoint(site);
    }
  }

  // --- probes ---

  public static boolean buggify(String site) {
    Kernel k = current();
    SimProbes probes = k == null ? null : k.probes();
    return probes != null && probes.buggify(site);
  }

  public static void sometimes(String situation) {
    Kernel k = current();
    SimProbes probes = k == null ? null : k.probes();
    if (probes != null) {
      probes.sometimes(situation);
    }
  }

  // --- time and randomness ---

  public static long nanoTime() {
    Kernel k = current();
    return k == null ? System.nanoTime() : k.nanos();
  }

  public static long currentTimeMillis() {
    Kernel k = current();
    return k == null ? System.currentTimeMillis() : k.currentTimeMillis();
  }

  /// The virtual present, or null outside of a simulation.
  public static @Nullable Instant instant() {
    Kernel k = current();
    return k == null ? null : Instant.ofEpochMilli(k.currentTimeMillis());
  }

  public static UUID randomUUID() {
    Kernel k = current();
    return k == null ? UUID.randomUUID() : k.randomUuid();
  }

  /// Replaces what `java.util.Random` would have taken as the seed of a generator without one.
  public static long randomSeed(long real) {
    Kernel k = current();
    return k == null ? real : k.randomSeed();
  }

  // --- threads ---

  /// Whether the simulation has taken the thread over: the caller returns at once.
  public static boolean threadStart(Thread thread) {
    Kernel k = current();
    return k != null && k.platformStart(thread);
  }

  public static void virtualThreadMade(Thread thread) {
    Kernel k = current();
    if (k != null) {
      k.virtualMade(thread);
    }
  }

  public static @Nullable Thread redirect(@Nullable Thread thread) {
    Kernel k = kernel;
    return k == null || thread == null || thread.isVirtual() ? thread : k.standIn(thread);
  }

  public static Thread currentThread() {
    Kernel k = current();
    return k == null ? Thread.currentThread() : k.currentThread();
  }

  // --- work without an executor ---

  public static Executor asyncExecutor() {
    return commonPool();
  }

  public static ForkJoinPool commonPool() {
    Kernel k = current();
    return k == null ? ForkJoinPool.commonPool() : k.asyncPool();
  }

  public static <T> CompletableFuture<T> orTimeout(
      CompletableFuture<T> future, long delay, TimeUnit unit) {
    Kernel k = current();
    if (k == null) {
      return future.orTimeout(delay, unit);
    }
    return untilDone(
        future,
        k.later(unit.toNanos(delay), () -> future.completeExceptionally(new TimeoutException())));
  }

  public static <T> CompletableFuture<T> completeOnTimeout(
      CompletableFuture<T> future, T value, long delay, TimeUnit unit) {
    Kernel k = current();
    if (k == null) {
      return future.completeOnTimeout(value, delay, unit);
    }
    return untilDone(future, k.later(unit.toNanos(delay), () -> future.complete(value)));
  }

  private static <T> CompletableFuture<T> untilDone(CompletableFuture<T> future, Runnable cancel) {
    var _ = future.whenComplete((value, error) -> cancel.run());
    return future;
  }

  public static Executor delayedExecutor(long delay, TimeUnit unit, Executor executor) {
    Kernel k = current();
    return k == null
        ? CompletableFuture.delayedExecutor(delay, unit, executor)
        : task -> k.later(unit.toNanos(delay), () -> executor.execute(task));
  }

  public static Executor delayedExecutor(long delay, TimeUnit unit) {
    return delayedExecutor(delay, unit, commonPool());
  }

  // --- what the collector finds unused ---

  /// `Executors.newSingleThreadExecutor` would be kept by the JDK until the collector finds it
  /// unused. One whose process was killed in the middle of a task never is: its worker names the
  /// thread, whose stack leads back to it and to all else of its run.
  public static Cleaner.Cleanable register(Cleaner cleaner, Object owner, Runnable action) {
    return current() == null ? cleaner.register(owner, action) : action::run;
  }

  // --- files ---

  public static void force(FileChannel channel, boolean withMetadata) throws IOException {
    Kernel k = current();
    if (k == null || channel instanceof Simulated) {
      channel.force(withMetadata);
    } else {
      k.force(channel, withMetadata);
    }
  }

  /// The simulation's files that hold a path; null when it is a real one.
  static @Nullable SimFiles files(Path path) {
    Kernel k = current();
    SimFiles files = k == null ? null : k.files();
    return files != null && files.owns(path) ? files : null;
  }

  /// Refuses a file call that would slip past the simulation's files.
  static void uncovered(String call) {
    Kernel k = current();
    SimFiles files = k == null ? null : k.files();
    if (files != null) {
      throw files.unsupported(call);
    }
  }

  // --- the JVM's own thread that unblocks virtual threads after a monitor was released ---

  public static void unblockBegin() {
    PENDING_UNBLOCKS.incrementAndGet();
  }

  public static void unblockEnd() {
    PENDING_UNBLOCKS.decrementAndGet();
  }

  /// Whether that thread is in the middle of handing a virtual thread over.
  public static boolean isUnblocking() {
    return PENDING_UNBLOCKS.get() != 0;
  }
}
