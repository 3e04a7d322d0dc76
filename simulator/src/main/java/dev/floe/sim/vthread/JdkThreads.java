package dev.floe.sim.vthread;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The private parts of the JDK's threads that the kernel needs: JDK 25, with `--add-opens
/// java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util.concurrent=ALL-UNNAMED`.
///
/// Another JDK may name them differently; then this class fails to load and says so. No state.
final class JdkThreads {
  private static final MethodHandle NEW_VIRTUAL;
  private static final VarHandle CONTINUATION;
  private static final VarHandle STATE;
  private static final VarHandle ON_WAITING_LIST;
  private static final VarHandle RANDOM_SEED;
  private static final VarHandle RANDOM_PROBE;
  private static final Field THREAD_ID;
  private static final List<Field> LEADS_ELSEWHERE;
  private static final Set<Integer> MONITOR_STATES;

  static {
    try {
      Class<?> builders = Class.forName("java.lang.ThreadBuilders");
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      MethodHandles.Lookup own = MethodHandles.lookup();
      NEW_VIRTUAL =
          MethodHandles.privateLookupIn(builders, own)
              .findStatic(
                  builders,
                  "newVirtualThread",
                  MethodType.methodType(
                      Thread.class, Executor.class, String.class, int.class, Runnable.class));
      MethodHandles.Lookup inVirtual = MethodHandles.privateLookupIn(virtual, own);
      CONTINUATION = inVirtual.findVarHandle(virtual, "runContinuation", Runnable.class);
      STATE = inVirtual.findVarHandle(virtual, "state", int.class);
      ON_WAITING_LIST = inVirtual.findVarHandle(virtual, "onWaitingList", boolean.class);
      MONITOR_STATES =
          Set.of(
              constant(inVirtual, virtual, "BLOCKED"),
              constant(inVirtual, virtual, "WAIT"),
              constant(inVirtual, virtual, "TIMED_WAIT"));
      MethodHandles.Lookup inThread = MethodHandles.privateLookupIn(Thread.class, own);
      RANDOM_SEED = inThread.findVarHandle(Thread.class, "threadLocalRandomSeed", long.class);
      RANDOM_PROBE = inThread.findVarHandle(Thread.class, "threadLocalRandomProbe", int.class);
      THREAD_ID = Thread.class.getDeclaredField("tid");
      THREAD_ID.setAccessible(true);
      LEADS_ELSEWHERE =
          List.of(
              accessible(virtual, "cont"),
              accessible(virtual, "scheduler"),
              accessible(virtual, "timeoutTask"),
              accessible(Thread.class, "threadLocals"),
              accessible(Thread.class, "inheritableThreadLocals"),
              accessible(Thread.class, "parkBlocker"),
              accessible(Thread.class, "uncaughtExceptionHandler"));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private JdkThreads() {}

  /// Loads what the JDK itself runs on real threads (its scheduler, its thread that unblocks)
  /// before a simulation would take them over.
  static void prepare() throws InterruptedException {
    Thread.ofVirtual().start(() -> {}).join();
  }

  private static int constant(MethodHandles.Lookup lookup, Class<?> owner, String name)
      throws ReflectiveOperationException {
    return (int) lookup.findStaticVarHandle(owner, name, int.class).get();
  }

  private static Field accessible(Class<?> owner, String name) throws NoSuchFieldException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /// Cuts a thread that never runs again off from its stack and everything else: the JVM keeps
  /// threads that wait at a monitor for as long as they do.
  static void empty(Thread virtual) {
    try {
      for (Field field : LEADS_ELSEWHERE) {
        field.set(virtual, null);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A virtual thread, not started, that runs on `scheduler`. When that is a `ForkJoinPool` the JDK
  /// also asks it for the thread's timers.
  static Thread newVirtual(Executor scheduler, String name, Runnable body) {
    try {
      return (Thread) NEW_VIRTUAL.invokeExact(scheduler, name, 0, body);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /// What the thread hands to its scheduler each time it can go on.
  static Runnable continuationOf(Thread virtual) {
    return (Runnable) CONTINUATION.get(virtual);
  }

  /// Gives the thread an id and random state that do not depend on what ran in this JVM before.
  /// `ThreadLocalRandom` mixes the thread's id into its numbers.
  static void identify(Thread virtual, long id, long randomSeed) {
    try {
      THREAD_ID.setLong(virtual, id);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    RANDOM_SEED.set(virtual, randomSeed);
    RANDOM_PROBE.set(virtual, (int) randomSeed | 1);
  }

  /// Whether it waits for a monitor, to enter it or to be notified.
  static boolean isAtMonitor(Thread virtual) {
    return MONITOR_STATES.contains((int) STATE.getVolatile(virtual));
  }

  /// Whether the JVM has put it on the list of threads to unblock and not taken it off yet.
  static boolean isOnWaitingList(Thread virtual) {
    return (boolean) ON_WAITING_LIST.getVolatile(virtual);
  }

  /// Sets the counters from which new threads' random generators are seeded. The calling thread
  /// gets its own from the old ones first.
  static void seedThreadLocalRandom(long seeder, int probe) {
    ThreadLocalRandom.current().nextInt();
    try {
      Field seederField = ThreadLocalRandom.class.getDeclaredField("seeder");
      seederField.setAccessible(true);
      Field probeField = ThreadLocalRandom.class.getDeclaredField("probeGenerator");
      probeField.setAccessible(true);
      if (!(seederField.get(null) instanceof AtomicLong seeds)
          || !(probeField.get(null) instanceof AtomicInteger probes)) {
        throw new IllegalStateException("ThreadLocalRandom of this JDK has another shape");
      }
      seeds.set(seeder);
      probes.set(probe);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
