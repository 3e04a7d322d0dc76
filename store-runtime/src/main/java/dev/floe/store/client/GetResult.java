package dev.floe.store.client;

import dev.floe.core.error.FloeException;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RouteVersion;

/// What became of one value of a get.
public sealed interface GetResult {
  /// The bytes are in their destination and matched their checksums.
  ///
  /// @param sizeBytes of the object
  /// @param checksum CRC32C of all bytes of the object, unsigned
  /// @param receivedBytes that went into the destination: all, or the length of the range
  record Loaded(
      ObjectKey key, RouteVersion version, long sizeBytes, long checksum, long receivedBytes)
      implements GetResult {}

  /// The value was not read, whatever is in the destination now.
  ///
  /// @param key as it was given, which may be no valid key
  record Failed(String key, FloeException error) implements GetResult {}
}
