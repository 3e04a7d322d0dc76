package dev.floe.sim.cluster;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a node of the model log has on its disk: term, vote, entries and snapshots. Durable state:
/// it outlives crashes, and every change of it is durable at once.
final class DurableLog {
  private final List<Entry> entries = new ArrayList<>();
  private final TreeMap<Long, SnapshotFile> snapshots = new TreeMap<>();
  private long baseIndex;
  private long baseTerm;
  private long term;
  private @Nullable String votedFor;

  /// One log entry.
  record Entry(long term, ByteString bytes) {}

  /// One snapshot, named by the last entry in it.
  record SnapshotFile(long index, long term, ByteString bytes) {}

  long term() {
    return term;
  }

  @Nullable String votedFor() {
    return votedFor;
  }

  void setTerm(long newTerm, @Nullable String vote) {
    term = newTerm;
    votedFor = vote;
  }

  /// The index before the first entry that is still kept.
  long baseIndex() {
    return baseIndex;
  }

  long lastIndex() {
    return baseIndex + entries.size();
  }

  long lastTerm() {
    return termAt(lastIndex());
  }

  /// The term of an entry that is kept, or of the one before; -1 for all others.
  long termAt(long index) {
    if (index == baseIndex) {
      return baseTerm;
    }
    return index > baseIndex && index <= lastIndex() ? entry(index).term : -1;
  }

  Entry entry(long index) {
    return entries.get((int) (index - baseIndex - 1));
  }

  /// The entries after `index`, `max` at most.
  List<Entry> after(long index, int max) {
    int from = (int) (index - baseIndex);
    return entries.subList(from, Math.min(entries.size(), from + max));
  }

  void append(Entry entry) {
    entries.add(entry);
  }

  /// Drops the entries after `index`.
  void truncateAfter(long index) {
    entries.subList((int) (index - baseIndex), entries.size()).clear();
  }

  /// Adds a snapshot, keeps the newest `retained`, and purges entries that the oldest kept one
  /// covers.
  void addSnapshot(SnapshotFile snapshot, int retained) {
    snapshots.put(snapshot.index, snapshot);
    while (snapshots.size() > retained) {
      snapshots.pollFirstEntry();
    }
    SnapshotFile oldest = snapshots.firstEntry().getValue();
    if (oldest.index > baseIndex && oldest.index <= lastIndex()) {
      entries.subList(0, (int) (oldest.index - baseIndex)).clear();
      baseIndex = oldest.index;
      baseTerm = oldest.term;
    }
  }

  /// Takes a snapshot that came from the leader. Entries behind it stay when the log agrees with
  /// it: they may have been acknowledged.
  void install(SnapshotFile snapshot) {
    if (termAt(snapshot.index) == snapshot.term) {
      entries.subList(0, (int) (snapshot.index - baseIndex)).clear();
    } else {
      entries.clear();
    }
    snapshots.clear();
    snapshots.put(snapshot.index, snapshot);
    baseIndex = snapshot.index;
    baseTerm = snapshot.term;
  }

  /// The snapshot that is `back` places before the newest, or the oldest, or null without any.
  @Nullable SnapshotFile snapshot(int back) {
    Map.Entry<Long, SnapshotFile> found = snapshots.lastEntry();
    for (int i = 0; i < back && found != null; i++) {
      Map.Entry<Long, SnapshotFile> older = snapshots.lowerEntry(found.getKey());
      if (older == null) {
        break;
      }
      found = older;
    }
    return found == null ? null : found.getValue();
  }
}
