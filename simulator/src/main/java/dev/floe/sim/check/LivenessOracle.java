package dev.floe.sim.check;

import dev.floe.core.error.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Each operation that begins after a core of the cluster is well ends in time, with success or an
/// answer that says what is so. Before that, nothing is promised.
///
/// An operation that its own caller interrupts, or that has a deadline of a few milliseconds, may
/// end in any way, but in time too.
public final class LivenessOracle {
  private static final long NEVER = Long.MAX_VALUE;

  private final long boundNanos;
  private final Map<String, Operation> open = new HashMap<>();
  private long wellSinceNanos = NEVER;
  private long judged;

  /// An operation under way.
  private record Operation(long beganNanos, boolean isExcused) {}

  /// @param boundNanos how long an operation may take
  public LivenessOracle(long boundNanos) {
    this.boundNanos = boundNanos;
  }

  /// A core is well from now on.
  public void wellSince(long nowNanos) {
    wellSinceNanos = nowNanos;
  }

  /// A worker begins an operation, its only one.
  ///
  /// @param isExcused whether its caller may give it up
  public void began(String worker, boolean isExcused, long nowNanos) {
    open.put(worker, new Operation(nowNanos, isExcused));
  }

  /// A part of a worker's operation failed.
  ///
  /// @throws Violation `LIVENESS` when the error tells nothing
  public void failed(String worker, ErrorCode code, long nowNanos) {
    Operation operation = open.get(worker);
    Violation.unless(
        !isJudged(operation) || (operation != null && operation.isExcused) || isDefinite(code),
        Invariant.LIVENESS,
        () ->
            worker
                + " was answered "
                + code
                + " at "
                + nowNanos
                + " ns by an operation that began when a core had been well since "
                + wellSinceNanos
                + " ns");
  }

  /// A worker's operation ended, or the worker did.
  ///
  /// @throws Violation `LIVENESS` when it took too long
  public void ended(String worker, long nowNanos) {
    Operation operation = open.remove(worker);
    if (isJudged(operation)) {
      judged++;
    }
    inTime(worker, operation, nowNanos);
  }

  /// Looks at all operations under way.
  ///
  /// @throws Violation `LIVENESS` when one takes too long
  public void look(long nowNanos) {
    open.forEach((worker, operation) -> inTime(worker, operation, nowNanos));
  }

  /// Forgets a worker whose process was killed.
  public void died(String worker) {
    open.remove(worker);
  }

  /// Operations that began after a core was well and have ended.
  public long judged() {
    return judged;
  }

  private boolean isJudged(@Nullable Operation operation) {
    return operation != null && operation.beganNanos >= wellSinceNanos;
  }

  private void inTime(String worker, @Nullable Operation operation, long nowNanos) {
    Violation.unless(
        operation == null || !isJudged(operation) || nowNanos - operation.beganNanos <= boundNanos,
        Invariant.LIVENESS,
        () ->
            worker
                + " began "
                + operation
                + " and is at it at "
                + nowNanos
                + " ns, the bound is "
                + boundNanos);
  }

  /// Whether an error says what is so, rather than that it could not be found out.
  private static boolean isDefinite(ErrorCode code) {
    return switch (code) {
      case UNAVAILABLE,
          DEADLINE_EXCEEDED,
          UNKNOWN_OUTCOME,
          CANCELLED,
          CONNECTION_LOST,
          CIRCUIT_OPEN,
          OVERLOADED ->
          false;
      default -> true;
    };
  }
}
