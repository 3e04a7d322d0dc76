package dev.floe.sim.cluster;

import dev.floe.meta.state.StateConfig;
import dev.floe.sim.net.NetworkFaults;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Everything that a run is made of beside its seed's random streams; derived from the seed by
/// `Swarm`.
///
/// @param mutant a planted bug, or null
public record SimOptions(
    long seed,
    String profile,
    Shape shape,
    Times times,
    Work work,
    Faults faults,
    @Nullable Mutant mutant) {
  /// Who takes part.
  ///
  /// @param segmentBytes capacity of each of a runtime's segments
  public record Shape(
      int masters,
      int runtimes,
      int segmentsPerRuntime,
      int segmentBytes,
      int clients,
      int pipelines) {}

  /// How long things take.
  ///
  /// @param stepDownMillis how long a leader without its majority goes on accepting
  public record Times(
      long electionMillis,
      long stepDownMillis,
      int snapshotEntries,
      StateConfig state,
      long leaseMillis,
      long sessionMillis,
      long readLeaseMillis) {}

  /// What the clients do.
  ///
  /// @param keys that they share
  /// @param thinkMillis mean pause between two operations of a pipeline
  public record Work(
      int operationsPerClient, int keys, long thinkMillis, int valueBytesMax, int replicasMax) {}

  /// What goes wrong.
  ///
  /// @param gapMillis mean time between two faults
  /// @param chaosMillis how long faults go on
  public record Faults(
      Set<FaultClass> classes, NetworkFaults network, long gapMillis, long chaosMillis) {
    public Faults {
      Set<FaultClass> copy = EnumSet.noneOf(FaultClass.class);
      copy.addAll(classes);
      classes = Collections.unmodifiableSet(copy);
    }

    /// Whether a class of faults is on.
    public boolean has(FaultClass faultClass) {
      return classes.contains(faultClass);
    }
  }

  /// The same run with a planted bug.
  public SimOptions withMutant(@Nullable Mutant planted) {
    return new SimOptions(seed, profile, shape, times, work, faults, planted);
  }

  /// Whether this bug is planted.
  public boolean has(Mutant wanted) {
    return mutant == wanted;
  }
}
