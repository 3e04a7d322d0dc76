package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;

/// The timeouts that decide what `apply` does. They are part of the replicated behaviour: every
/// master of a cluster must run with the same values, and a change is a change of the state machine.
///
/// @param putDiscardMillis age from which an unfinished write no longer keeps other writers from its
///     key; at least 1
/// @param putReleaseMillis age from which the space of an abandoned write is given out again; at
///     least `putDiscardMillis`, and longer than any writer may go on writing
public record StateConfig(long putDiscardMillis, long putReleaseMillis) {
  /// 30 seconds and 10 minutes.
  public static final StateConfig DEFAULT = new StateConfig(30_000, 600_000);

  public StateConfig {
    if (putDiscardMillis < 1 || putReleaseMillis < putDiscardMillis) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "put timeouts must be 1 <= discard <= release, but are "
              + putDiscardMillis
              + " ms and "
              + putReleaseMillis
              + " ms");
    }
  }
}
