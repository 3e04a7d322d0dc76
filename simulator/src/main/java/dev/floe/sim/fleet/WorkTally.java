package dev.floe.sim.fleet;

import dev.floe.core.error.ErrorCode;
import java.util.Map;
import java.util.TreeMap;

/// What became of operations, by kind of operation and outcome.
final class WorkTally {
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<ErrorCode, Integer> errors = new TreeMap<>();
  private int done;
  private long lastNanos;

  void done(String what, long nowNanos) {
    done++;
    lastNanos = nowNanos;
    var _ = counts.merge(what, 1, Integer::sum);
  }

  void failed(ErrorCode code) {
    var _ = errors.merge(code, 1, Integer::sum);
  }

  void addAll(WorkTally other) {
    other.counts.forEach((what, count) -> counts.merge(what, count, Integer::sum));
    other.errors.forEach((code, count) -> errors.merge(code, count, Integer::sum));
    done += other.done;
    lastNanos = Math.max(lastNanos, other.lastNanos);
  }

  /// When the last operation was answered.
  long lastNanos() {
    return lastNanos;
  }

  int done() {
    return done;
  }

  @Override
  public String toString() {
    return "done=" + counts + " errors=" + errors;
  }
}
