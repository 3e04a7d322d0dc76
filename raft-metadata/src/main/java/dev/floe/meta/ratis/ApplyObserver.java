package dev.floe.meta.ratis;

import java.nio.ByteBuffer;

/// Sees every applied entry, for checks beside the state machine.
@FunctionalInterface
public interface ApplyObserver {
  /// Looks at nothing.
  ApplyObserver NONE = (term, index, entry, digest) -> {};

  /// Called on the applying thread after an entry of ours was applied; it must be quick and must not
  /// throw.
  ///
  /// @param entry the entry's bytes, read-only
  /// @param digest the state's digest after it
  void applied(long term, long index, ByteBuffer entry, long digest);
}
