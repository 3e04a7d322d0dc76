package dev.floe.meta.leader;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.time.Duration;

/// How a leader behaves.
///
/// @param tickInterval how often it proposes a tick and looks after leases
/// @param entriesInFlight Raft entries under way at a time, 1 to `Limits.ENTRIES_IN_FLIGHT_MAX`
public record LeaderOptions(
    Leases leases, Duration tickInterval, int entriesInFlight, EvictionOptions eviction) {
  public static final LeaderOptions DEFAULT =
      new LeaderOptions(Leases.DEFAULT, Duration.ofSeconds(1), 3, EvictionOptions.DEFAULT);

  public LeaderOptions {
    if (entriesInFlight < 1 || entriesInFlight > Limits.ENTRIES_IN_FLIGHT_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "entriesInFlight is "
              + entriesInFlight
              + ", allowed are 1 to "
              + Limits.ENTRIES_IN_FLIGHT_MAX);
    }
    if (tickInterval.compareTo(Duration.ofMillis(10)) < 0) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG, "tickInterval is below 10 ms: " + tickInterval.toMillis());
    }
  }

  /// With the usual eviction.
  public LeaderOptions(Leases leases, Duration tickInterval, int entriesInFlight) {
    this(leases, tickInterval, entriesInFlight, EvictionOptions.DEFAULT);
  }

  /// Times to live.
  ///
  /// @param runtimeTtl silence after which a runtime is suspected
  /// @param runtimeGrace further silence after which its lease ends
  /// @param sessionTtl silence after which a client's session ends
  /// @param readTtl how long a resolve protects an object
  public record Leases(
      Duration runtimeTtl, Duration runtimeGrace, Duration sessionTtl, Duration readTtl) {
    public static final Leases DEFAULT =
        new Leases(
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5));
  }
}
