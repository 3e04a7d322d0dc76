package dev.floe.sim.agent;

import java.util.List;

/// Which classes are rewritten, by internal name. Pure.
final class Targets {
  /// What Ratis keeps as long as the collector likes, or makes only once: how often it runs depends on
  /// the heap.
  private static final List<String> CACHES =
      List.of(
          "org/apache/ratis/conf/",
          "org/apache/ratis/metrics/",
          "org/apache/ratis/protocol/",
          "org/apache/ratis/server/metrics/",
          "org/apache/ratis/thirdparty/",
          "org/apache/ratis/util/BiWeakValueCache",
          "org/apache/ratis/util/JavaUtils",
          "org/apache/ratis/util/MemoizedSupplier",
          "org/apache/ratis/util/WeakValueCache");

  private Targets() {}

  /// Classes of the JDK that wait, start threads, or read a clock for others.
  static boolean isJdk(String name) {
    return name.startsWith("java/util/concurrent/")
        || name.startsWith("java/util/Timer")
        || name.startsWith("java/time/Clock")
        || name.startsWith("java/time/InstantSource")
        || name.equals("java/util/Random")
        || name.equals("java/util/Date")
        || name.equals("java/lang/Thread")
        || name.equals("java/lang/VirtualThread");
  }

  /// The code under test. The simulator's kernel is not: it lives outside of virtual time.
  static boolean isApplication(String name) {
    if (name.startsWith("org/apache/ratis/")) {
      return !name.startsWith("org/apache/ratis/thirdparty/io/");
    }
    return name.startsWith("dev/floe/")
        && !name.startsWith("dev/floe/sim/boot/")
        && !name.startsWith("dev/floe/sim/agent/")
        && !name.startsWith("dev/floe/sim/vthread/");
  }

  /// The code whose threads may lose the processor wherever they synchronise.
  static boolean isPreemptible(String name) {
    return name.startsWith("org/apache/ratis/")
        ? CACHES.stream().noneMatch(name::startsWith)
        : name.startsWith("dev/floe/") && !name.startsWith("dev/floe/sim/");
  }

  /// The code of which no file call may slip past the simulated disk: masters with all that is in
  /// them. Programs around them read settings and write reports on real files.
  static boolean isOnSimulatedDisk(String name) {
    return name.startsWith("org/apache/ratis/")
        ? !name.startsWith("org/apache/ratis/thirdparty/")
        : name.startsWith("dev/floe/core/") || name.startsWith("dev/floe/meta/");
  }
}
