package dev.floe.sim.cli;

import dev.floe.sim.profile.SeedReport;
import dev.floe.sim.profile.SeedRunner;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs seeds, one after the other in this JVM or side by side in several.
final class SeedPool {
  /// The JVM itself keeps a little of each thread that never ends: a new one gives it back.
  private static final int SEEDS_OF_A_JVM = 200;

  private final SetupOptions options;
  private final int jobs;

  /// @param jobs how many run at a time; 1 stays in this JVM when it can
  SeedPool(SetupOptions options, int jobs) {
    this.options = options;
    this.jobs = jobs;
  }

  /// Runs seeds in order until they are through or nobody wants more.
  ///
  /// @param isOver asked before each seed
  /// @param reports takes each report, one at a time, in the order of their ends
  void run(PrimitiveIterator.OfLong seeds, BooleanSupplier isOver, Consumer<SeedReport> reports)
      throws InterruptedException {
    if (jobs == 1 && !Relaunch.isNeeded(options.profile, options)) {
      SeedRunner runner = options.profile.runner(options.setup());
      while (seeds.hasNext() && !isOver.getAsBoolean()) {
        reports.accept(runner.run(seeds.nextLong(), null));
      }
      return;
    }
    // Says what is wrong with the options here, not in each of the others.
    var _ = options.profile.runner(options.setup());
    Shared shared = new Shared(seeds, isOver, reports);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      threads.add(Thread.ofPlatform().name("job" + i).start(() -> work(shared)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    shared.rethrow();
  }

  private void work(Shared shared) {
    try {
      for (Long seed = shared.next(); seed != null; seed = shared.next()) {
        runFrom(seed, shared);
      }
    } catch (IOException e) {
      shared.failed(e);
    } catch (RuntimeException | Error e) {
      shared.failed(new IOException(e.toString(), e));
    }
  }

  /// Runs a seed and those after it in one JVM.
  private void runFrom(long first, Shared shared) throws IOException {
    Process worker =
        new ProcessBuilder(
                Relaunch.jvm(options).command(SimWorker.class.getName(), options.words()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (DataOutputStream to = new DataOutputStream(worker.getOutputStream());
        DataInputStream from =
            new DataInputStream(new BufferedInputStream(worker.getInputStream()))) {
      int most = options.profile.needsAgent() ? SEEDS_OF_A_JVM : Integer.MAX_VALUE;
      Long seed = first;
      for (int runs = 1; seed != null; runs++) {
        to.writeLong(seed);
        to.flush();
        shared.take(SeedReport.read(from));
        seed = runs < most ? shared.next() : null;
      }
    } finally {
      worker.destroy();
    }
  }

  /// What the jobs share; guarded by itself.
  private static final class Shared {
    private final PrimitiveIterator.OfLong left;
    private final BooleanSupplier isOver;
    private final Consumer<SeedReport> reports;
    private @Nullable IOException failure;

    Shared(PrimitiveIterator.OfLong left, BooleanSupplier isOver, Consumer<SeedReport> reports) {
      this.left = left;
      this.isOver = isOver;
      this.reports = reports;
    }

    synchronized @Nullable Long next() {
      return failure == null && left.hasNext() && !isOver.getAsBoolean() ? left.next() : null;
    }

    synchronized void take(SeedReport report) {
      reports.accept(report);
    }

    synchronized void failed(IOException why) {
      failure = why;
    }

    synchronized void rethrow() {
      if (failure != null) {
        throw new UncheckedIOException("a JVM that ran seeds ended: " + failure, failure);
      }
    }
  }
}
