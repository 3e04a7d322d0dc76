package dev.floe.sim.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.vthread.InSimulationJvm;
import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What runs leave behind in their JVM.
@InSimulationJvm
class HeapSimTest {
  private static final int RUNS = 8;
  private static final int WARM_RUNS = 3;
  private static final long GROWTH_BYTES_MAX = 6L << 20;

  private final List<WeakReference<Simulation>> runs = new ArrayList<>();

  /// Masters that are killed leave threads that never go on. The JDK, the statics of Ratis or beans
  /// must not lead to any of them: each run would keep some 5 MB for ever.
  @Test
  void nothingOfARunIsKeptForLongerThanTheNextOne() {
    long warmBytes = 0;
    for (int seed = 1; seed <= RUNS; seed++) {
      run(seed);
      if (seed == WARM_RUNS) {
        warmBytes = usedBytes();
      }
    }
    assertThat(usedBytes() - warmBytes).as("growth of the heap").isLessThan(GROWTH_BYTES_MAX);
    assertThat(runs.stream().filter(run -> run.get() != null).count())
        .as("runs that are still reachable")
        .isLessThanOrEqualTo(1);
  }

  private void run(long seed) {
    RatisStatics.reset();
    RatisScenario scenario =
        new RatisScenario(
            RatisScenario.Options.SHORT.withSize("operations", "30"),
            Path.of("/floe-sim-disk", "heap-" + seed));
    Simulation.Outcome outcome =
        Simulation.run(
            SimOptions.of(seed).withSharedThreads(RatisStatics::isSharedThread),
            simulation -> {
              runs.add(new WeakReference<>(simulation));
              scenario.run(simulation);
            });
    assertThat(outcome.failure()).isNull();
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
