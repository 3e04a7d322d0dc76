package dev.floe.sim.vthread;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The simulation's threads: by number, by continuation, by the platform thread they stand for.
final class ThreadRegistry {
  private static final long FIRST_ID = 1L << 31;

  private final IdentityHashMap<Runnable, SimThread> byContinuation = new IdentityHashMap<>();
  private final Map<Long, Thread> standIns = new HashMap<>();
  private final List<Thread> dead = new ArrayList<>();
  private final long seed;
  private int last;
  private boolean isCreating;

  ThreadRegistry(long seed) {
    this.seed = seed;
  }

  /// Makes a virtual thread that runs `body`; it is not started.
  ///
  /// @param platform the thread that it stands in for
  Thread create(Incarnation owner, String name, Runnable body, @Nullable Thread platform) {
    isCreating = true;
    Thread virtual;
    try {
      virtual = JdkThreads.newVirtual(owner.pool, name, body);
    } finally {
      isCreating = false;
    }
    register(owner, name, virtual, platform);
    return virtual;
  }

  /// Takes note of a virtual thread that simulated code made itself. Before anybody has seen it:
  /// its hash code is its id, which changes here.
  void adopt(Incarnation owner, Thread virtual) {
    if (!isCreating) {
      register(owner, virtual.getName(), virtual, null);
    }
  }

  private void register(Incarnation owner, String name, Thread virtual, @Nullable Thread platform) {
    SimThread thread = new SimThread(++last, name, owner, virtual, platform);
    JdkThreads.identify(virtual, FIRST_ID + last, Seeds.mix(seed, last));
    byContinuation.put(thread.continuation, thread);
    if (platform != null) {
      standIns.put(platform.threadId(), virtual);
    }
  }

  @Nullable SimThread byContinuation(Runnable continuation) {
    return byContinuation.get(continuation);
  }

  Thread standIn(Thread platform) {
    return standIns.getOrDefault(platform.threadId(), platform);
  }

  void forget(SimThread thread) {
    byContinuation.remove(thread.continuation);
  }

  void forget(Incarnation incarnation) {
    byContinuation
        .values()
        .removeIf(
            thread -> {
              boolean isGone = thread.owner == incarnation;
              if (isGone) {
                dead.add(thread.virtual);
              }
              return isGone;
            });
  }

  /// The run is over: nothing leads from its threads, which the JVM may keep, to it any more.
  void close() {
    byContinuation.values().forEach(thread -> dead.add(thread.virtual));
    for (Thread virtual : dead) {
      while (JdkThreads.isOnWaitingList(virtual)) {
        Thread.onSpinWait();
      }
      JdkThreads.empty(virtual);
    }
    byContinuation.clear();
    dead.clear();
    standIns.clear();
  }

  int count() {
    return last;
  }

  /// The living threads, by number.
  List<SimThread> living() {
    List<SimThread> all = new ArrayList<>(byContinuation.values());
    all.sort(Comparator.comparingInt(t -> t.number));
    return all;
  }
}
