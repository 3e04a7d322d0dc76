package dev.floe.sim.agent;

/// Which classes are rewritten, by internal name. Pure.
final class Targets {
  private Targets() {}

  /// Classes of the JDK that wait, start threads, or read a clock for others.
  static boolean isJdk(String name) {
    return name.startsWith("java/util/concurrent/")
        || name.startsWith("java/util/Timer")
        || name.startsWith("java/time/Clock")
        || name.startsWith("java/time/InstantSource")
        || name.equals("java/util/Random")
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
}
