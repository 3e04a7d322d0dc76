package dev.floe.meta.state.table;

import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.SegmentId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The ranges of dead writes, waiting until no writer can still be at work in them. Hard state; on
/// the applying thread.
///
/// They are kept in a bucket for each second of release, so that a change while a capture is open
/// copies one bucket and not all.
public final class QuarantineList {
  private final CaptureEpochs epochs;
  private final TreeMap<Long, Bucket> buckets = new TreeMap<>();

  /// Derived: looked up by segment, never walked.
  private final Map<SegmentId, TreeSet<Abandoned>> bySegment = new HashMap<>();

  private long bytes;
  private long digest;

  /// An empty list that copies what an open capture reads.
  public QuarantineList(CaptureEpochs epochs) {
    this.epochs = epochs;
  }

  /// Puts a range into quarantine that is not in it.
  public void add(Abandoned abandoned) {
    long second = secondOf(abandoned);
    buckets.computeIfAbsent(second, _ -> new Bucket(epochs.current(), new TreeSet<>()));
    if (!writable(second).entries.add(abandoned)) {
      throw new IllegalStateException("range is abandoned already: " + abandoned);
    }
    MemoryRange range = abandoned.range();
    bySegment.computeIfAbsent(range.segment(), _ -> new TreeSet<>()).add(abandoned);
    bytes += range.lengthBytes();
    digest += RecordHash.abandoned(abandoned);
  }

  /// Takes out up to `max` ranges whose time has come, in order.
  public List<MemoryRange> takeReleased(long nowMillis, int max) {
    List<MemoryRange> released = new ArrayList<>();
    while (released.size() < max
        && !buckets.isEmpty()
        && buckets.firstEntry().getValue().entries.first().releaseMillis() <= nowMillis) {
      Abandoned first = buckets.firstEntry().getValue().entries.first();
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
  public void dropSegment(SegmentId segment) {
    TreeSet<Abandoned> gone = bySegment.remove(segment);
    if (gone != null) {
      gone.forEach(this::remove);
    }
  }

  /// How many bytes are in quarantine.
  public long bytes() {
    return bytes;
  }

  /// The ranges' part of the state's digest.
  public long digest() {
    return digest;
  }

  /// The entries in order, as they are now; valid for another thread while the capture is open.
  public List<SortedSet<Abandoned>> captured() {
    List<SortedSet<Abandoned>> captured = new ArrayList<>(buckets.size());
    buckets.values().forEach(bucket -> captured.add(bucket.entries));
    return captured;
  }

  private void remove(Abandoned abandoned) {
    long second = secondOf(abandoned);
    TreeSet<Abandoned> entries = writable(second).entries;
    if (!entries.remove(abandoned)) {
      throw new IllegalStateException("range is not abandoned: " + abandoned);
    }
    if (entries.isEmpty()) {
      buckets.remove(second);
    }
    bytes -= abandoned.range().lengthBytes();
    digest -= RecordHash.abandoned(abandoned);
  }

  private static long secondOf(Abandoned abandoned) {
    return Math.floorDiv(abandoned.releaseMillis(), 1000);
  }

  private Bucket writable(long second) {
    Bucket bucket = buckets.get(second);
    if (bucket == null) {
      throw new IllegalStateException("no bucket for second " + second);
    }
    if (epochs.isShared(bucket.epoch)) {
      bucket = new Bucket(epochs.current(), new TreeSet<>(bucket.entries));
      buckets.put(second, bucket);
    }
    return bucket;
  }

  private record Bucket(long epoch, TreeSet<Abandoned> entries) {}
}
