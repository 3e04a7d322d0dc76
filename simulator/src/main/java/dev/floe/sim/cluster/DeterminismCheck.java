package dev.floe.sim.cluster;

import dev.floe.sim.kernel.Trace;
import java.util.ArrayList;
import java.util.List;

/// Proves that a seed is one run: runs it twice and compares.
public final class DeterminismCheck {
  private DeterminismCheck() {}

  /// Runs a seed twice.
  ///
  /// @return nothing when both runs are the same, else where they part
  public static String differenceOrEmpty(long seed, String profile) {
    RunResult one = Simulation.run(Swarm.derive(seed, profile));
    RunResult two = Simulation.run(Swarm.derive(seed, profile));
    if (one.checkpoints().equals(two.checkpoints())) {
      return "";
    }
    int checkpoint = 0;
    int common = Math.min(one.checkpoints().size(), two.checkpoints().size());
    while (checkpoint < common
        && one.checkpoints().get(checkpoint).equals(two.checkpoints().get(checkpoint))) {
      checkpoint++;
    }
    return "seed "
        + seed
        + " is not deterministic: checkpoint "
        + checkpoint
        + " (after step "
        + (checkpoint + 1) * Trace.CHECKPOINT_STEPS
        + ") differs; "
        + firstDifference(seed, profile);
  }

  private static String firstDifference(long seed, String profile) {
    List<String> one = new ArrayList<>();
    List<String> two = new ArrayList<>();
    Simulation.run(Swarm.derive(seed, profile), one::add);
    Simulation.run(Swarm.derive(seed, profile), two::add);
    for (int i = 0; i < Math.min(one.size(), two.size()); i++) {
      if (!one.get(i).equals(two.get(i))) {
        return "first differing event: " + one.get(i) + " / " + two.get(i);
      }
    }
    return "the traces of two more runs have " + one.size() + " and " + two.size() + " events";
  }
}
