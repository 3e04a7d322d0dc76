package dev.floe.store.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.meta.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/// Checks of what callers pass in.
final class Keys {
  private Keys() {}

  static ObjectKey parse(@Nullable String key) {
    if (key == null) {
      throw new FloeException(
          ErrorCode.INVALID_KEY, "the key is null; a key has 1 to 1024 bytes of UTF-8");
    }
    return new ObjectKey(key);
  }

  static long checkSize(ObjectKey key, long sizeBytes) {
    if (sizeBytes < 0 || sizeBytes > Limits.OBJECT_BYTES_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_SIZE,
          "the value of '"
              + key
              + "' has "
              + sizeBytes
              + " bytes; allowed are 0 to "
              + Limits.OBJECT_BYTES_MAX);
    }
    return sizeBytes;
  }
}
