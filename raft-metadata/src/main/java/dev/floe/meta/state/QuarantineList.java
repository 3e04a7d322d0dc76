package dev.floe.meta.state;

import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.SegmentId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// The ranges of dead writes, waiting until no writer can still be at work in them. Hard state; on
/// the applying thread.
final class QuarantineList {
  private final CaptureEpochs epochs;
  private TreeSet<Abandoned> entries = new TreeSet<>();
  private long entriesEpoch;

  /// Derived: looked up by segment, never walked.
  private final Map<SegmentId, TreeSet<Abandoned>> bySegment = new HashMap<>();

  private long bytes;
  private long digest;

  QuarantineList(CaptureEpochs epochs) {
    this.epochs = epochs;
  }

  void add(Abandoned abandoned) {
    unshare();
    if (!entries.add(abandoned)) {
      throw new IllegalStateException("range is abandoned already: " + abandoned);
    }
    MemoryRange range = abandoned.range();
    bySegment.computeIfAbsent(range.segment(), _ -> new TreeSet<>()).add(abandoned);
    bytes += range.lengthBytes();
    digest += RecordHash.abandoned(abandoned);
  }

  /// Takes out up to `max` ranges whose time has come, in order.
  List<MemoryRange> takeReleased(long nowMillis, int max) {
    List<MemoryRange> released = new ArrayList<>();
    while (released.size() < max
        && !entries.isEmpty()
        && entries.first().releaseMillis() <= nowMillis) {
      Abandoned first = entries.first();
      remove(first);
      TreeSet<Abandoned> ofSegment = bySegment.get(first.range().segment());
      if (ofSegment != null && ofSegment.remove(first) && ofSegment.isEmpty()) {
        bySegment.remove(first.range().segment());
      }
      released.add(first.range());
    }
    return released;
  }

  /// Forgets the ranges of a segment that is gone.
  void dropSegment(SegmentId segment) {
    TreeSet<Abandoned> gone = bySegment.remove(segment);
    if (gone != null) {
      gone.forEach(this::remove);
    }
  }

  long bytes() {
    return bytes;
  }

  long digest() {
    return digest;
  }

  /// The entries in order, as they are now; valid for another thread while the capture is open.
  SortedSet<Abandoned> captured() {
    return entries;
  }

  private void remove(Abandoned abandoned) {
    unshare();
    if (!entries.remove(abandoned)) {
      throw new IllegalStateException("range is not abandoned: " + abandoned);
    }
    bytes -= abandoned.range().lengthBytes();
    digest -= RecordHash.abandoned(abandoned);
  }

  private void unshare() {
    if (epochs.isShared(entriesEpoch)) {
      entries = new TreeSet<>(entries);
      entriesEpoch = epochs.current();
    }
  }
}
