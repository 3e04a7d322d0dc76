package dev.floe.sim.vthread;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/// A real thread beside the simulation.
public final class Outside {
  private static volatile boolean isFound;
  private static final LinkedBlockingQueue<Thread> WAITING = new LinkedBlockingQueue<>();

  static {
    // Started by the test class, before any simulation.
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                try {
                  Thread waiting = WAITING.take();
                  // Most of the time it runs; one of these finds it parked, however the machine
                  // shares its processors.
                  for (long end = now() + SECONDS.toNanos(30); !isFound && now() < end; ) {
                    LockSupport.unpark(waiting);
                  }
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            "outside");
    thread.setDaemon(true);
    thread.start();
  }

  private Outside() {}

  private static long now() {
    return System.nanoTime();
  }

  /// The simulation has noticed, or is over: no more wake-ups.
  public static void stop() {
    isFound = true;
  }

  /// To be called before the simulation.
  public static void start() {}

  /// Has the real thread wake a simulated one.
  public static void unparkFromRealThread(Thread thread) {
    WAITING.add(thread);
  }
}
