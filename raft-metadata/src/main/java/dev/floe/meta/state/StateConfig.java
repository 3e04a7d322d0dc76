package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.table.WritePace;

/// The timeouts that decide what `apply` does. They are part of the replicated behaviour: every
/// master of a cluster must run with the same values, and a change is a change of the state machine.
///
/// A write has its age counted from the moment when its bytes would all be there at
/// `Limits.WRITE_BYTES_PER_SECOND_MIN` (`WritePace`): the writer of a large value that lives and
/// makes progress keeps its key and its space.
///
/// @param putDiscardMillis age from which an unfinished write no longer keeps other writers from its
///     key; at least 1
/// @param putReleaseMillis age from which the space of an abandoned write is given out again; at
///     least `putDiscardMillis`
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

  /// State time from which a session may take the key of an unfinished write. The one that wrote it
  /// knows whether it still does, so it need not wait for the bytes.
  long discardMillis(ObjectVersion version, SessionId asking) {
    return later(
        asking.equals(version.write().writer())
            ? version.write().startMillis()
            : WritePace.millis(version),
        putDiscardMillis);
  }

  /// State time from which space that a write has given up is given out again: its writer is gone,
  /// or has ended the write without it.
  long abandonedMillis(ObjectVersion version) {
    return later(version.write().startMillis(), putReleaseMillis);
  }

  /// State time from which the space of a write is given out again unless it was completed.
  long releaseMillis(ObjectVersion version) {
    return later(WritePace.millis(version), putReleaseMillis);
  }

  private static long later(long millis, long afterMillis) {
    long sum = millis + afterMillis;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
