package dev.floe.meta.ratis;

/// Told when this node's log or state cannot go on: a failed log, an entry that cannot be decoded,
/// a broken invariant in apply, or a shutdown by Ratis that nobody asked for.
///
/// A process exits; an embedded master is stopped. Called on a thread of Ratis, perhaps more than
/// once: it must return at once and do its work elsewhere.
@FunctionalInterface
public interface FatalErrorHandler {
  /// @param what one sentence for the log: what broke and what it means
  /// @param cause what was thrown
  void fatal(String what, Throwable cause);
}
