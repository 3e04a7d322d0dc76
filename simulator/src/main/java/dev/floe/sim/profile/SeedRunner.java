package dev.floe.sim.profile;

import dev.floe.sim.vthread.TraceHash;
import org.jspecify.annotations.Nullable;

/// Runs one seed after the other.
@FunctionalInterface
public interface SeedRunner {
  /// Runs a seed to its end.
  ///
  /// @param sink takes the trace
  SeedReport run(long seed, TraceHash.@Nullable TraceSink sink);
}
