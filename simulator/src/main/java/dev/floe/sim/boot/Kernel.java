package dev.floe.sim.boot;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/// What a simulation provides to rewritten code. Called only from threads of the simulation.
public interface Kernel {
  /// Monotonic virtual time.
  long nanos();

  /// Virtual wall-clock time.
  long currentTimeMillis();

  /// Takes over a platform thread that is about to start.
  ///
  /// @return false when it is a virtual thread, which starts by itself
  boolean platformStart(Thread thread);

  /// Enlists a virtual thread that was just made.
  void virtualMade(Thread thread);

  /// The virtual thread that runs in the place of a platform thread; the same thread when there is
  /// none.
  Thread standIn(Thread thread);

  /// The thread object as which the running code knows itself.
  Thread currentThread();

  /// The running code is about to synchronise with others: they may go first.
  ///
  /// @param site names the place in the code
  void yieldPoint(int site);

  /// A random UUID from the seed.
  UUID randomUuid();

  /// A seed for a random generator that was made without one.
  long randomSeed();

  /// Where asynchronous work without an executor goes: to the incarnation that runs now.
  ForkJoinPool asyncPool();

  /// Runs an action after a delay, in the incarnation that runs now.
  ///
  /// @return cancels it
  Runnable later(long delayNanos, Runnable action);

  /// Makes a real file durable.
  void force(FileChannel channel, boolean withMetadata) throws IOException;

  /// The simulated files; null when all files are real.
  @Nullable SimFiles files();

  /// Answers to the probes in production code; null when they do nothing.
  @Nullable SimProbes probes();
}
