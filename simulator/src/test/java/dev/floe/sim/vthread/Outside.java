package dev.floe.sim.vthread;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/// A real thread beside the simulation.
public final class Outside {
  private static final LinkedBlockingQueue<Thread> WAITING = new LinkedBlockingQueue<>();

  static {
    // Started by the test class, before any simulation.
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                try {
                  Thread waiting = WAITING.take();
                  // Most of the time it runs; one of these finds it parked.
                  for (int i = 0; i < 100_000; i++) {
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

  /// To be called before the simulation.
  public static void start() {}

  /// Has the real thread wake a simulated one.
  public static void unparkFromRealThread(Thread thread) {
    WAITING.add(thread);
  }
}
