package dev.floe.store.segment;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;

/// Checks of the numbers that come with a request; none of them overflows, whatever came.
final class RangeChecks {
  private RangeChecks() {}

  /// That the range lies within a segment and the value within the range.
  static void checkWithin(TokenRange range, long capacityBytes) {
    boolean within =
        range.offset() >= 0
            && range.length() > 0
            && range.length() <= capacityBytes
            && range.offset() <= capacityBytes - range.length();
    if (!within) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, range + " is not within a segment of " + capacityBytes);
    }
    if (range.objectBytes() < 0 || range.objectBytes() > range.length() || range.token() <= 0) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "a value of " + range.objectBytes() + " bytes does not belong in " + range);
    }
  }

  /// That the bytes lie within the value.
  static void checkPart(TokenRange range, long from, long length) {
    if (from < 0 || length < 0 || from > range.objectBytes() - length) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "bytes " + from + "+" + length + " are not within a value of " + range.objectBytes());
    }
  }

  /// That the bytes are one chunk of the value.
  ///
  /// @return how many chunks the value has
  static int checkChunk(TokenRange range, int chunkBytes, long from, long length) {
    long size = range.objectBytes();
    if (chunkBytes <= 0 || chunkBytes > Limits.FRAME_BODY_BYTES_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "chunks of " + chunkBytes + " bytes; allowed are 1 to " + Limits.FRAME_BODY_BYTES_MAX);
    }
    long chunks = Math.max(1, (size + chunkBytes - 1) / chunkBytes);
    if (chunks > Limits.OBJECT_CHUNKS_MAX || (chunks > 1 && chunkBytes < Limits.CHUNK_BYTES_MIN)) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "chunks of " + chunkBytes + " bytes are too small for a value of " + size);
    }
    boolean isChunk =
        from >= 0
            && from % chunkBytes == 0
            && (from < size || (from == 0 && size == 0))
            && length == Math.min(chunkBytes, size - from);
    if (!isChunk) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "bytes "
              + from
              + "+"
              + length
              + " are no chunk of a value of "
              + size
              + " bytes in chunks of "
              + chunkBytes);
    }
    return (int) chunks;
  }
}
