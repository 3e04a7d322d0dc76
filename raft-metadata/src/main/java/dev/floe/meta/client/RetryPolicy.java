package dev.floe.meta.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long a client waits before it tries again: a random part of a bound that doubles ("full
/// jitter"), so that many clients do not come back at once. Pure.
///
/// @param first bound of the first pause
/// @param max bound of all pauses
/// @param attemptMax how long one attempt may take, so that a master that hangs does not use up the
///     caller's deadline
public record RetryPolicy(Duration first, Duration max, Duration attemptMax) {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(500), Duration.ofSeconds(5));

  /// Nanoseconds to wait before attempt number `attempt`, counted from 1 for the first repetition.
  public long pauseNanos(int attempt, RandomGenerator random) {
    long bound = first.toNanos() << Math.min(attempt - 1, 20);
    return 1 + random.nextLong(Math.max(1, Math.min(bound, max.toNanos())));
  }
}
