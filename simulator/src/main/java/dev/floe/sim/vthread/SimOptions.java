package dev.floe.sim.vthread;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How a simulation runs.
///
/// @param seed everything random follows from it
/// @param stepNanosMax a step takes 1 to this many nanoseconds of virtual time, so that loops that
///     wait for time to pass end and every step has a time of its own
/// @param fsyncNanosMax longest virtual time that making a file durable takes
/// @param timeLimit virtual time after which the run ends with an error
/// @param sharedThreads names of platform threads that belong to no incarnation because static
///     fields of a library own them: they survive a kill
/// @param sink takes the trace; null for none
public record SimOptions(
    long seed,
    long stepNanosMax,
    long fsyncNanosMax,
    Duration timeLimit,
    Predicate<String> sharedThreads,
    TraceHash.@Nullable TraceSink sink) {
  /// The usual values, without a trace.
  public static SimOptions of(long seed) {
    return new SimOptions(seed, 20_000, 2_000_000, Duration.ofMinutes(30), name -> false, null);
  }

  /// With another limit of virtual time.
  public SimOptions withTimeLimit(Duration limit) {
    return new SimOptions(seed, stepNanosMax, fsyncNanosMax, limit, sharedThreads, sink);
  }

  /// With a trace.
  public SimOptions withSink(TraceHash.@Nullable TraceSink newSink) {
    return new SimOptions(seed, stepNanosMax, fsyncNanosMax, timeLimit, sharedThreads, newSink);
  }

  /// With threads that survive kills.
  public SimOptions withSharedThreads(Predicate<String> names) {
    return new SimOptions(seed, stepNanosMax, fsyncNanosMax, timeLimit, names, sink);
  }
}
