package dev.floe.meta.state;

import dev.floe.meta.place.StableHash;
import dev.floe.meta.state.table.CaptureEpochs;
import dev.floe.meta.state.table.Counters;
import dev.floe.meta.state.table.ObjectTable;
import dev.floe.meta.state.table.QuarantineList;
import dev.floe.meta.state.table.RecordHash;
import dev.floe.meta.state.table.RuntimeTable;
import dev.floe.meta.state.table.SegmentTable;
import dev.floe.meta.state.table.SessionTable;

/// The managers that make up a state, and the numbers beside them. On the applying thread.
final class StateParts {
  final CaptureEpochs epochs = new CaptureEpochs();
  final SessionTable sessions = new SessionTable(epochs);
  final RuntimeTable runtimes = new RuntimeTable();
  final SegmentTable segments = new SegmentTable(epochs);
  final ObjectTable objects = new ObjectTable();
  final QuarantineList quarantine = new QuarantineList(epochs);
  Counters counters = Counters.INITIAL;

  /// Index of the last applied entry.
  long appliedIndex;

  /// State time.
  long timeMillis;

  /// The digest of everything here but the index. O(1).
  long digest() {
    long sum =
        sessions.digest()
            + runtimes.digest()
            + segments.digest()
            + objects.digest()
            + quarantine.digest()
            + RecordHash.counters(counters);
    return StableHash.add(sum, timeMillis);
  }

  /// Gives `count` replica ids and returns the first.
  long takeReplicaIds(int count) {
    long first = counters.nextReplicaId();
    counters =
        new Counters(Math.addExact(first, count), counters.nextSegmentId(), counters.nextEpoch());
    return first;
  }

  long takeSegmentId() {
    long id = counters.nextSegmentId();
    counters = new Counters(counters.nextReplicaId(), Math.addExact(id, 1), counters.nextEpoch());
    return id;
  }

  long takeEpoch() {
    long epoch = counters.nextEpoch();
    counters =
        new Counters(counters.nextReplicaId(), counters.nextSegmentId(), Math.addExact(epoch, 1));
    return epoch;
  }

  MetadataView.Totals totals() {
    return new MetadataView.Totals(
        objects.objects(),
        objects.objectBytes(),
        objects.indexes().writing(),
        sessions.count(),
        segments.capacityBytes(),
        segments.usedBytes(),
        quarantine.bytes());
  }
}
