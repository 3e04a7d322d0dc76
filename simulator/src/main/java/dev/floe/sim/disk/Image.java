package dev.floe.sim.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// The bytes of a file; what is between its written parts reads as zeros.
final class Image {
  private byte[] bytes = new byte[0];
  private int size;

  int size() {
    return size;
  }

  /// Moves up to `target.remaining()` bytes; -1 at the end of the file.
  int read(long offset, ByteBuffer target) {
    if (offset >= size) {
      return target.hasRemaining() ? -1 : 0;
    }
    int count = (int) Math.min(target.remaining(), size - offset);
    target.put(bytes, (int) offset, count);
    return count;
  }

  void write(int offset, byte[] source, int from, int count) {
    if (count == 0) {
      return;
    }
    grow(offset + count);
    System.arraycopy(source, from, bytes, offset, count);
  }

  private void grow(int newSize) {
    if (newSize > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(newSize, Math.min(bytes.length * 2, 1 << 30)));
    }
    size = Math.max(size, newSize);
  }

  void truncate(int newSize) {
    if (newSize < size) {
      Arrays.fill(bytes, newSize, size, (byte) 0);
      size = newSize;
    }
  }

  void copyFrom(Image other) {
    bytes = Arrays.copyOf(other.bytes, other.size);
    size = other.size;
  }

  void copyRange(Image other, int from, int to, int count) {
    byte[] part = Arrays.copyOfRange(other.bytes, from, from + count);
    write(to, part, 0, count);
  }

  void flipBit(int offset, int bit) {
    bytes[offset] ^= (byte) (1 << bit);
  }

  byte at(int offset) {
    return bytes[offset];
  }
}
