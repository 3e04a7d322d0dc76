package dev.floe.meta.state;

/// Told when this node's state differs from the leader's. Soft: not part of the state.
///
/// A difference means that the state machines of two nodes went apart, which no command repairs:
/// raise an alarm, and have this node rebuilt from a snapshot of another.
@FunctionalInterface
public interface DigestMismatchListener {
  /// Does nothing.
  DigestMismatchListener NONE = (index, ours, leaders) -> {};

  /// Called on the applying thread, which it must not hold up; it must not throw.
  ///
  /// @param index the entry after which the two digests were taken
  void mismatch(long index, long ours, long leaders);
}
