package dev.floe.meta.state;

import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.place.StableHash;

/// Where in the log a command stands, and what time it is there.
///
/// @param nowMillis state time: the leader's time, never going back
record ApplyContext(long index, int ordinal, long nowMillis) {
  RouteVersion version() {
    return new RouteVersion(index, ordinal);
  }

  /// What takes the place of chance for this command.
  long seed() {
    return StableHash.add(StableHash.mix(index), ordinal);
  }
}
