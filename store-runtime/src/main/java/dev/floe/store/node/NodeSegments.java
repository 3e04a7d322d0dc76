package dev.floe.store.node;

import dev.floe.core.error.FloeException;
import dev.floe.store.segment.MemoryBudget;
import dev.floe.store.segment.MemorySource;
import dev.floe.store.segment.RangeBudget;
import dev.floe.store.segment.SegmentMemory;
import dev.floe.store.segment.StoreSegment;
import java.util.LinkedHashMap;
import java.util.Map;

/// The memory of a node's segments, by name; allocated once and mounted as often as need be.
final class NodeSegments implements AutoCloseable {
  private final Map<String, StoreSegment> byName = new LinkedHashMap<>();

  private NodeSegments() {}

  /// Allocates all segments, or none.
  ///
  /// @throws FloeException `INVALID_CONFIG` naming what was asked and what there is
  static NodeSegments allocate(StoreOptions options, MemorySource source) {
    MemoryBudget.ofThisProcess().check(options.totalBytes(), source.isDirect());
    NodeSegments segments = new NodeSegments();
    RangeBudget budget = RangeBudget.ofThisProcess();
    boolean isDone = false;
    try {
      for (StoreOptions.SegmentOptions one : options.segments()) {
        segments.byName.put(
            one.name(),
            new StoreSegment(SegmentMemory.allocate(one.capacityBytes(), source), budget));
      }
      isDone = true;
      return segments;
    } finally {
      if (!isDone) {
        segments.close();
      }
    }
  }

  Map<String, StoreSegment> byName() {
    return byName;
  }

  @Override
  public void close() {
    byName.values().forEach(StoreSegment::close);
  }
}
