package dev.floe.meta.state;

import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.place.Candidate;
import dev.floe.meta.state.table.RuntimeTable;
import dev.floe.meta.state.table.SegmentTable;
import java.util.ArrayList;
import java.util.List;

/// The runtimes that may get replicas: alive and with a segment, by id. Derived from the tables and
/// made anew when they changed.
final class PlacementRing {
  private final RuntimeTable runtimes;
  private final SegmentTable segments;
  private List<Candidate> candidates = List.of();
  private long runtimeChanges = -1;
  private long segmentChanges = -1;

  PlacementRing(RuntimeTable runtimes, SegmentTable segments) {
    this.runtimes = runtimes;
    this.segments = segments;
  }

  List<Candidate> candidates() {
    if (runtimeChanges != runtimes.changes() || segmentChanges != segments.changes()) {
      List<Candidate> fresh = new ArrayList<>();
      for (RuntimeId id : segments.runtimes()) {
        RuntimeRecord runtime = runtimes.require(id);
        if (runtime.state() == RuntimeState.ALIVE) {
          fresh.add(new Candidate(id, List.copyOf(segments.of(id))));
        }
      }
      candidates = fresh;
      runtimeChanges = runtimes.changes();
      segmentChanges = segments.changes();
    }
    return candidates;
  }
}
