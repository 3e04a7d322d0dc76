package dev.floe.store.segment;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// What a `RangeTable` knows of one range: which chunks of the value have come, and how many are on
/// it. Guarded by the table's lock.
final class RangeEntry {
  final TokenRange range;
  final int chunkBytes;
  final int chunks;

  /// CRC32C of each written chunk, as it came with the write.
  private final int[] checksums;

  /// Null once every chunk is written: a full range needs no bookkeeping.
  private @Nullable BitSet written = new BitSet();

  private @Nullable BitSet writing = new BitSet();
  private int missing;
  private int guards;
  private boolean superseded;

  RangeEntry(TokenRange range, int chunkBytes, int chunks) {
    this.range = range;
    this.chunkBytes = chunkBytes;
    this.chunks = chunks;
    this.checksums = new int[chunks];
    this.missing = chunks;
  }

  boolean isComplete() {
    return missing == 0;
  }

  boolean isSuperseded() {
    return superseded;
  }

  void supersede() {
    superseded = true;
  }

  int guards() {
    return guards;
  }

  void guard() {
    guards++;
  }

  /// Whether this was the last guard.
  boolean release() {
    if (guards == 0) {
      throw new IllegalStateException("a guard of " + range + " was released twice");
    }
    return --guards == 0;
  }

  boolean isWritten(int chunk) {
    return written == null || written.get(chunk);
  }

  boolean isWriting(int chunk) {
    return writing != null && writing.get(chunk);
  }

  void setWriting(int chunk, boolean isWriting) {
    if (writing != null) {
      writing.set(chunk, isWriting);
    }
  }

  int checksum(int chunk) {
    return checksums[chunk];
  }

  void setWritten(int chunk, int checksum) {
    checksums[chunk] = checksum;
    if (written != null && !written.get(chunk)) {
      written.set(chunk);
      missing--;
    }
    if (missing == 0) {
      written = null;
      writing = null;
    }
  }

  /// The chunk that exactly these bytes of the value are, or -1.
  int chunkOf(long from, long length) {
    if (from % chunkBytes != 0) {
      return -1;
    }
    return length == Math.min(chunkBytes, range.objectBytes() - from)
        ? (int) (from / chunkBytes)
        : -1;
  }
}
