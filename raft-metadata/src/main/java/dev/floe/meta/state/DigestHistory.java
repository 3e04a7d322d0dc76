package dev.floe.meta.state;

/// The digests after the last entries, to compare with the leader's. Soft state; on the applying
/// thread.
final class DigestHistory {
  /// More entries than a leader applies between two ticks.
  private static final int ENTRIES = 4096;

  private final long[] indexes = new long[ENTRIES];
  private final long[] digests = new long[ENTRIES];
  private final DigestMismatchListener listener;
  private int next;

  DigestHistory(DigestMismatchListener listener) {
    this.listener = listener;
  }

  void record(long index, long digest) {
    indexes[next] = index;
    digests[next] = digest;
    next = (next + 1) % ENTRIES;
  }

  /// Compares the leader's digest with ours, if ours is still known.
  void compare(long index, long leaders) {
    if (index <= 0) {
      return;
    }
    for (int back = 1; back <= ENTRIES; back++) {
      int i = Math.floorMod(next - back, ENTRIES);
      if (indexes[i] <= index) {
        if (indexes[i] == index && digests[i] != leaders) {
          listener.mismatch(index, digests[i], leaders);
        }
        return;
      }
    }
  }
}
