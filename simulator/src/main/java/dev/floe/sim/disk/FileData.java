package dev.floe.sim.disk;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/// A file's content in the page cache and on the medium, and the changes that are in the first
/// only.
final class FileData {
  private final Image cache = new Image();
  private final Image medium = new Image();
  private final Deque<Change> unsynced = new ArrayDeque<>();
  private long changes;
  private boolean isCold;

  /// A change that is not on the medium yet, in order.
  private sealed interface Change {
    long number();

    void apply(Image image);
  }

  private static final class Write implements Change {
    private final long number;
    private final int offset;
    private final byte[] bytes;

    Write(long number, int offset, byte[] bytes) {
      this.number = number;
      this.offset = offset;
      this.bytes = bytes;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public void apply(Image image) {
      image.write(offset, bytes, 0, bytes.length);
    }
  }

  private record Truncation(long number, int size) implements Change {
    @Override
    public void apply(Image image) {
      image.truncate(size);
    }
  }

  int size() {
    return cache.size();
  }

  /// The size on the medium.
  int durableSize() {
    return medium.size();
  }

  /// Number of the last change; forces make all up to one durable.
  long lastChange() {
    return changes;
  }

  int unsyncedChanges() {
    return unsynced.size();
  }

  /// Whether its content has to come from the medium; it is in the page cache from then on.
  boolean warmUp() {
    boolean wasCold = isCold;
    isCold = false;
    return wasCold;
  }

  int read(long offset, ByteBuffer target) {
    return cache.read(offset, target);
  }

  /// @param misdirectedBy how far from its place the medium will put it
  void write(int offset, byte[] bytes, int misdirectedBy) {
    cache.write(offset, bytes, 0, bytes.length);
    int place = offset + misdirectedBy;
    if (place < 0 || place + bytes.length > cache.size()) {
      place = offset;
    }
    unsynced.add(new Write(++changes, place, bytes));
  }

  void truncate(int size) {
    if (size < cache.size()) {
      cache.truncate(size);
      unsynced.add(new Truncation(++changes, size));
    }
  }

  /// Brings changes up to a number onto the medium.
  void commit(long upTo) {
    for (Change first = unsynced.peek();
        first != null && first.number() <= upTo;
        first = unsynced.peek()) {
      unsynced.remove();
      first.apply(medium);
    }
  }

  /// The medium refused these changes: the page cache keeps them and takes them for written, as
  /// Linux does after a failed fsync.
  void lose(long upTo) {
    while (!unsynced.isEmpty() && unsynced.element().number() <= upTo) {
      unsynced.remove();
    }
  }

  void powerLoss(PowerLoss loss, int sectorBytes, SplittableRandom random) {
    List<Change> pending = new ArrayList<>(unsynced);
    unsynced.clear();
    switch (loss.survivors()) {
      case NONE -> {}
      case BEGINNING -> keepBeginning(pending, loss.isTorn(), sectorBytes, random);
      case ANY -> keepAny(pending, loss.isTorn(), sectorBytes, random);
    }
    dropCache();
  }

  /// What is in memory is forgotten and read from the medium again.
  void dropCache() {
    unsynced.clear();
    cache.copyFrom(medium);
    isCold = true;
  }

  private void keepBeginning(
      List<Change> pending, boolean isTorn, int sectorBytes, SplittableRandom random) {
    if (pending.isEmpty()) {
      return;
    }
    int whole = random.nextInt(pending.size() + 1);
    pending.subList(0, whole).forEach(change -> change.apply(medium));
    if (whole < pending.size() && pending.get(whole) instanceof Write write) {
      int cut = random.nextInt(write.bytes.length + 1);
      if (!isTorn) {
        cut = Math.max(0, (write.offset + cut) / sectorBytes * sectorBytes - write.offset);
      }
      medium.write(write.offset, write.bytes, 0, cut);
    }
  }

  private void keepAny(
      List<Change> pending, boolean isTorn, int sectorBytes, SplittableRandom random) {
    for (Change change : pending) {
      switch (change) {
        case Truncation truncation -> {
          if (random.nextBoolean()) {
            truncation.apply(medium);
          }
        }
        case Write write -> keepSectors(write, isTorn, sectorBytes, random);
      }
    }
  }

  private void keepSectors(Write write, boolean isTorn, int sectorBytes, SplittableRandom random) {
    for (int from = 0; from < write.bytes.length; ) {
      int at = write.offset + from;
      int count = Math.min(sectorBytes - at % sectorBytes, write.bytes.length - from);
      if (random.nextBoolean()) {
        int kept = isTorn && random.nextInt(4) == 0 ? random.nextInt(count + 1) : count;
        medium.write(at, write.bytes, from, kept);
      }
      from += count;
    }
  }

  /// Turns a bit over, on the medium and in what was read from it.
  void rot(int offset, int bit) {
    medium.flipBit(offset, bit);
    if (offset < cache.size()) {
      cache.flipBit(offset, bit);
    }
  }

  /// Reads a sector from the place of another one; the medium is as it was.
  void misdirectRead(int sector, int instead, int sectorBytes) {
    int to = sector * sectorBytes;
    int from = instead * sectorBytes;
    int count = Math.min(sectorBytes, Math.min(cache.size() - to, medium.size() - from));
    if (count > 0) {
      cache.copyRange(medium, from, to, count);
    }
  }
}
