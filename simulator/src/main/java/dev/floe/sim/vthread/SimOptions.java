package dev.floe.sim.vthread;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How a simulation runs.
///
/// @param seed everything random follows from it
/// @param pace how long things take and how often a thread loses the processor
/// @param timeLimit virtual time after which the run ends with an error
/// @param sharedThreads names of platform threads that belong to no incarnation because static
///     fields of a library own them: they survive a kill
/// @param sink takes the trace; null for none
public record SimOptions(
    long seed,
    Pace pace,
    Duration timeLimit,
    Predicate<String> sharedThreads,
    TraceHash.@Nullable TraceSink sink) {
  /// The usual values, without a trace.
  public static SimOptions of(long seed) {
    return new SimOptions(seed, Pace.STANDARD, Duration.ofMinutes(30), name -> false, null);
  }

  /// With another limit of virtual time.
  public SimOptions withTimeLimit(Duration limit) {
    return new SimOptions(seed, pace, limit, sharedThreads, sink);
  }

  /// With a trace.
  public SimOptions withSink(TraceHash.@Nullable TraceSink newSink) {
    return new SimOptions(seed, pace, timeLimit, sharedThreads, newSink);
  }

  /// With threads that survive kills.
  public SimOptions withSharedThreads(Predicate<String> names) {
    return new SimOptions(seed, pace, timeLimit, names, sink);
  }

  /// With threads that lose the processor at this share of the points where they synchronise; works
  /// only in a JVM that was started for it, see `SimJvm.isPreempting`.
  public SimOptions withPreemption(double share) {
    return new SimOptions(
        seed,
        new Pace(pace.stepNanosMax, pace.fsyncNanosMax, share),
        timeLimit,
        sharedThreads,
        sink);
  }

  /// How long things take.
  ///
  /// @param stepNanosMax a step takes 1 to this many nanoseconds of virtual time, so that loops that
  ///     wait for time to pass end and every step has a time of its own
  /// @param fsyncNanosMax longest virtual time that making a file durable takes
  /// @param preemptShare share of the points of synchronisation at which a thread lets others run,
  ///     0 to 1
  public record Pace(long stepNanosMax, long fsyncNanosMax, double preemptShare) {
    /// 20 µs, 2 ms, never.
    public static final Pace STANDARD = new Pace(20_000, 2_000_000, 0);

    public Pace {
      if (!(preemptShare >= 0 && preemptShare <= 1)) {
        throw new IllegalArgumentException("the share is " + preemptShare + ", must be 0 to 1");
      }
    }
  }
}
