package dev.floe.sim.check;

import dev.floe.sim.kernel.SimRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// The bytes of one put: they tell which put they are of and where in it they belong.
///
/// @param id of the put, unique in the run, at least 1
public record Payload(long id, int sizeBytes) {
  /// All bytes.
  public byte[] bytes() {
    return part(0, sizeBytes);
  }

  /// Some of the bytes.
  public byte[] part(int from, int length) {
    byte[] part = new byte[length];
    long word = 0;
    for (int i = 0; i < length; i++) {
      int position = from + i;
      if (i == 0 || (position & 7) == 0) {
        word = SimRandom.mix(id * 0x9e3779b97f4a7c15L + (position >>> 3));
      }
      part[i] = (byte) (word >>> ((position & 7) * 8));
    }
    return part;
  }

  /// CRC32C of all bytes, unsigned.
  public long checksum() {
    return checksum(bytes());
  }

  /// CRC32C of some bytes, unsigned.
  public static long checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  /// Whether these are the bytes from `from` on.
  boolean matches(long from, byte[] bytes) {
    if (from < 0 || from + bytes.length > sizeBytes) {
      return false;
    }
    return Arrays.equals(part((int) from, bytes.length), bytes);
  }
}
