package dev.floe.core.error;

/// What a caller may do after an error.
public enum Retryability {
  /// The same call will fail again: the input or the state it met must change first.
  NEVER,
  /// The caller acted on old knowledge (an old leader, token, epoch or location): read it anew,
  /// then retry.
  AFTER_REFRESH,
  /// Nothing was changed and the condition passes by itself: retry after a pause that grows.
  BACKOFF,
  /// The call may or may not have taken effect: read the state to find out before doing anything
  /// else.
  UNKNOWN_OUTCOME
}
