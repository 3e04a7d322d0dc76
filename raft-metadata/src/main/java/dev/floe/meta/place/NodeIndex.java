package dev.floe.meta.place;

import java.util.Arrays;

/// A map from offset to node number that never stalls: extendible hashing (Fagin et al., 1979) with
/// buckets of up to 256 slots, so that growth moves one bucket at a time.
final class NodeIndex {
  static final int NONE = -1;

  private static final int BUCKET_SLOTS_MIN = 16;
  private static final int BUCKET_SLOTS_MAX = 256;

  private Bucket[] directory = {new Bucket(0, BUCKET_SLOTS_MIN)};
  private int depth;

  /// The node at the offset, or `NONE`.
  int get(long offset) {
    long hash = StableHash.mix(offset);
    Bucket bucket = bucket(hash);
    int slot = bucket.find(offset, hash);
    return slot < 0 ? NONE : bucket.nodes[slot];
  }

  /// Adds an offset that is not in the map.
  void put(long offset, int node) {
    long hash = StableHash.mix(offset);
    Bucket bucket = bucket(hash);
    while (bucket.isFull()) {
      if (bucket.offsets.length < BUCKET_SLOTS_MAX) {
        bucket.grow();
      } else {
        split(bucket, hash);
        bucket = bucket(hash);
      }
    }
    bucket.insert(offset, hash, node);
  }

  /// Takes the offset out and returns its node, or `NONE`.
  int remove(long offset) {
    long hash = StableHash.mix(offset);
    Bucket bucket = bucket(hash);
    int slot = bucket.find(offset, hash);
    if (slot < 0) {
      return NONE;
    }
    int node = bucket.nodes[slot];
    bucket.removeAt(slot);
    return node;
  }

  private Bucket bucket(long hash) {
    return directory[(int) (hash & (directory.length - 1))];
  }

  private void split(Bucket full, long hash) {
    if (full.depth == depth) {
      int length = directory.length;
      directory = Arrays.copyOf(directory, length * 2);
      System.arraycopy(directory, 0, directory, length, length);
      depth++;
    }
    int bit = 1 << full.depth;
    Bucket low = new Bucket(full.depth + 1, BUCKET_SLOTS_MAX);
    Bucket high = new Bucket(full.depth + 1, BUCKET_SLOTS_MAX);
    for (int i = 0; i < full.offsets.length; i++) {
      if (full.nodes[i] != NONE) {
        long moved = StableHash.mix(full.offsets[i]);
        ((moved & bit) == 0 ? low : high).insert(full.offsets[i], moved, full.nodes[i]);
      }
    }
    for (int i = (int) (hash & (bit - 1)); i < directory.length; i += bit) {
      directory[i] = (i & bit) == 0 ? low : high;
    }
  }

  /// Open addressing with linear probing and backward-shift deletion; at most three quarters full.
  private static final class Bucket {
    final int depth;
    long[] offsets;
    int[] nodes;
    int count;

    Bucket(int depth, int slots) {
      this.depth = depth;
      offsets = new long[slots];
      nodes = new int[slots];
      Arrays.fill(nodes, NONE);
    }

    boolean isFull() {
      return count >= offsets.length / 4 * 3;
    }

    int home(long hash) {
      return (int) (hash >>> 40) & (offsets.length - 1);
    }

    int find(long offset, long hash) {
      int mask = offsets.length - 1;
      for (int i = home(hash); nodes[i] != NONE; i = (i + 1) & mask) {
        if (offsets[i] == offset) {
          return i;
        }
      }
      return NONE;
    }

    void insert(long offset, long hash, int node) {
      int mask = offsets.length - 1;
      int i = home(hash);
      while (nodes[i] != NONE) {
        i = (i + 1) & mask;
      }
      offsets[i] = offset;
      nodes[i] = node;
      count++;
    }

    void removeAt(int slot) {
      int mask = offsets.length - 1;
      int hole = slot;
      for (int i = (hole + 1) & mask; nodes[i] != NONE; i = (i + 1) & mask) {
        int home = home(StableHash.mix(offsets[i]));
        if (((i - home) & mask) >= ((i - hole) & mask)) {
          offsets[hole] = offsets[i];
          nodes[hole] = nodes[i];
          hole = i;
        }
      }
      nodes[hole] = NONE;
      count--;
    }

    void grow() {
      long[] oldOffsets = offsets;
      int[] oldNodes = nodes;
      offsets = new long[oldOffsets.length * 2];
      nodes = new int[oldNodes.length * 2];
      Arrays.fill(nodes, NONE);
      count = 0;
      for (int i = 0; i < oldOffsets.length; i++) {
        if (oldNodes[i] != NONE) {
          insert(oldOffsets[i], StableHash.mix(oldOffsets[i]), oldNodes[i]);
        }
      }
    }
  }
}
