package dev.floe.core.buffer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// CRC32C (Castagnoli, RFC 3720 appendix B.4) over memory, and the checksum of a whole from those of
/// its parts.
///
/// Checksums are the 32 bits as an `int`. Positions of buffers are not moved.
public final class Checksums {
  /// The checksum of no bytes.
  public static final int EMPTY = 0;

  /// The polynomial, lowest power in the highest bit, as CRC32C orders bits.
  private static final int POLYNOMIAL = 0x82F6_3B78;

  /// The polynomial 1 in that order.
  private static final int ONE = 0x8000_0000;

  private static final long SEGMENT_STEP_BYTES = 1L << 30;

  /// At index k: x to the power 8 * 2^k, modulo the polynomial.
  private static final int[] BYTE_POWERS = bytePowers();

  private Checksums() {}

  /// The checksum of what remains in `buffer`.
  public static int crc32c(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate());
    return (int) crc.getValue();
  }

  /// The checksum of `bytes` bytes of `buffer` from the absolute index `from` on.
  public static int crc32c(ByteBuffer buffer, int from, int bytes) {
    return crc32c(buffer.slice(from, bytes));
  }

  /// The checksum of a native or `byte[]` segment of any length.
  public static int crc32c(MemorySegment segment) {
    CRC32C crc = new CRC32C();
    long size = segment.byteSize();
    for (long from = 0; from < size; from += SEGMENT_STEP_BYTES) {
      crc.update(segment.asSlice(from, Math.min(SEGMENT_STEP_BYTES, size - from)).asByteBuffer());
    }
    return (int) crc.getValue();
  }

  /// The checksum of `bytes` bytes of `segment` from `from` on.
  public static int crc32c(MemorySegment segment, long from, long bytes) {
    return crc32c(segment.asSlice(from, bytes));
  }

  /// The checksum of A followed by B from the checksum of each, in time that grows with the
  /// logarithm of B's length: chunks of one value may be checksummed in any order.
  ///
  /// Appending n bytes multiplies A's remainder by x^(8n) modulo the polynomial; the inversions at
  /// both ends of the two checksums cancel out.
  ///
  /// @param bytesOfB length of B, not negative
  public static int combine(int crcOfA, int crcOfB, long bytesOfB) {
    if (bytesOfB < 0) {
      throw new IllegalArgumentException("B has " + bytesOfB + " bytes");
    }
    int shifted = crcOfA;
    long left = bytesOfB;
    for (int k = 0; left != 0; k++, left >>>= 1) {
      if ((left & 1) != 0) {
        shifted = multiply(shifted, BYTE_POWERS[k]);
      }
    }
    return shifted ^ crcOfB;
  }

  private static int[] bytePowers() {
    int[] powers = new int[Long.SIZE - 1];
    powers[0] = ONE >>> 8;
    for (int k = 1; k < powers.length; k++) {
      powers[k] = multiply(powers[k - 1], powers[k - 1]);
    }
    return powers;
  }

  /// The product of two polynomials modulo the polynomial.
  private static int multiply(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int bit = ONE; bit != 0; bit >>>= 1) {
      if ((a & bit) != 0) {
        product ^= shifted;
      }
      shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
    }
    return product;
  }
}
