package dev.floe.sim.cluster;

import dev.floe.sim.check.Invariant;
import org.jspecify.annotations.Nullable;

/// Runs seeds with a planted bug until some oracle finds it.
public final class MutantHunt {
  private MutantHunt() {}

  /// Where a bug was found.
  ///
  /// @param runs how many runs it took
  public record Found(long seed, long runs, Invariant invariant) {}

  /// Hunts over the seeds from `first` to `last`; null when none finds it.
  public static @Nullable Found hunt(Mutant mutant, long first, long last) {
    for (long seed = first; seed <= last; seed++) {
      RunResult result = Simulation.run(Swarm.derive(seed, "swarm").withMutant(mutant));
      RunResult.Failure failure = result.failure();
      if (failure != null) {
        return new Found(seed, seed - first + 1, failure.invariant());
      }
    }
    return null;
  }
}
