package dev.floe.nof.block;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.nio.ByteBuffer;

/// The shape of a block device.
///
/// @param blockBytes a power of two from 512 to `Limits.BLOCK_BYTES_MAX`
/// @param blockCount at least 1; the product is at most `Limits.BLOCK_DEVICE_BYTES_MAX`
public record BlockGeometry(int blockBytes, long blockCount) {
  public BlockGeometry {
    if (blockBytes < 512
        || blockBytes > Limits.BLOCK_BYTES_MAX
        || Integer.bitCount(blockBytes) != 1) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "block size "
              + blockBytes
              + " is not a power of two from 512 to "
              + Limits.BLOCK_BYTES_MAX);
    }
    if (blockCount < 1 || blockCount > Limits.BLOCK_DEVICE_BYTES_MAX / blockBytes) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "a device of "
              + blockCount
              + " blocks of "
              + blockBytes
              + " bytes is not within 1 block to "
              + Limits.BLOCK_DEVICE_BYTES_MAX
              + " bytes");
    }
  }

  /// The size of the device in bytes.
  public long capacityBytes() {
    return blockBytes * blockCount;
  }

  /// Whether `bytes` is a whole number of blocks.
  public boolean isAligned(long bytes) {
    return (bytes & (blockBytes - 1)) == 0;
  }

  /// Refuses a transfer of the remaining bytes of `buffer` at `offsetBytes` unless it is whole
  /// blocks within the device, to or from an aligned direct buffer.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` naming the value and the block size or the capacity
  public void check(long offsetBytes, ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw refused(
          "a heap buffer was given; use a direct buffer aligned to " + blockBytes + " bytes");
    }
    if (!isAligned(offsetBytes)) {
      throw refused("offset " + offsetBytes + " is not a multiple of the block size " + blockBytes);
    }
    int length = buffer.remaining();
    if (!isAligned(length)) {
      throw refused("length " + length + " is not a multiple of the block size " + blockBytes);
    }
    if (offsetBytes < 0 || offsetBytes > capacityBytes() - length) {
      throw refused(
          "range "
              + offsetBytes
              + "+"
              + length
              + " is outside the device of "
              + capacityBytes()
              + " bytes");
    }
    int misalignment = buffer.alignmentOffset(buffer.position(), blockBytes);
    if (length > 0 && misalignment != 0) {
      throw refused(
          "the buffer's first byte lies "
              + misalignment
              + " bytes past a multiple of the block size "
              + blockBytes
              + "; use ByteBuffer.alignedSlice");
    }
  }

  private static FloeException refused(String message) {
    return new FloeException(ErrorCode.INVALID_ARGUMENT, message);
  }
}
