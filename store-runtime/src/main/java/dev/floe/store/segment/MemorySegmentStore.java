package dev.floe.store.segment;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.model.SegmentId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// The segments that this runtime has mounted, by the number the masters gave them.
///
/// A number is never reused, so a location that a client kept from before a restart finds nothing
/// instead of another segment.
public final class MemorySegmentStore implements AutoCloseable {
  private final Map<SegmentId, StoreSegment> segments = new ConcurrentHashMap<>();

  /// Serves a segment under `id`. The segment stays its maker's, who closes it.
  public void publish(SegmentId id, StoreSegment segment) {
    StoreSegment other = segments.putIfAbsent(id, segment);
    if (other != null && other != segment) {
      throw new FloeException(ErrorCode.ALREADY_EXISTS, id + " is another segment already");
    }
  }

  /// Ends all numbers at once: requests that name them get `SEGMENT_NOT_FOUND`, and what was written
  /// is forgotten.
  public void withdrawAll() {
    for (SegmentId id : List.copyOf(segments.keySet())) {
      StoreSegment segment = segments.remove(id);
      if (segment != null) {
        segment.forgetAll();
      }
    }
  }

  /// The segment with that number.
  ///
  /// @throws FloeException `SEGMENT_NOT_FOUND` when this runtime does not have it, or no longer
  public StoreSegment find(SegmentId id) {
    StoreSegment segment = segments.get(id);
    if (segment == null) {
      throw new FloeException(
          ErrorCode.SEGMENT_NOT_FOUND,
          id + " is not mounted here, or no longer; look the object up again");
    }
    return segment;
  }

  /// The mounted segments, by number.
  public List<Map.Entry<SegmentId, StoreSegment>> list() {
    return new ArrayList<>(new TreeMap<>(segments).entrySet());
  }

  /// Withdraws all numbers.
  @Override
  public void close() {
    withdrawAll();
  }
}
