package dev.floe.store.client;

import dev.floe.core.error.FloeException;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RouteVersion;

/// What became of one value of a put.
public sealed interface PutResult {
  /// An outcome with which the key has a value afterwards.
  sealed interface Present extends PutResult {}

  /// The value was stored by this call.
  ///
  /// @param checksum CRC32C of all bytes, unsigned
  /// @param replicas copies that hold all bytes
  record Stored(ObjectKey key, RouteVersion version, long sizeBytes, long checksum, int replicas)
      implements Present {}

  /// The key had a value before, which stays: objects are immutable. Its bytes were not compared;
  /// for keys that name their content this is as good as stored.
  record AlreadyExists(ObjectKey key) implements Present {}

  /// The value was not stored. With `UNKNOWN_OUTCOME` it may have been: it was if `stat` shows the
  /// version that the error's context has under `version`.
  ///
  /// @param key as it was given, which may be no valid key
  record Failed(String key, FloeException error) implements PutResult {}
}
