package dev.floe.meta.state;

import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.meta.state.table.CaptureEpochs;
import dev.floe.meta.state.table.Counters;
import dev.floe.meta.state.table.RouteCapture;
import dev.floe.meta.state.table.SegmentTable;
import dev.floe.meta.state.table.SessionEntry;
import dev.floe.meta.state.table.SessionRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The state as it was at one index, readable by another thread while apply goes on.
///
/// Taking one costs a few references for each shard, segment and runtime. Until it is closed, the
/// applying thread copies what it changes for the first time; so close it as soon as it was
/// written, and do not read it afterwards.
public final class StateCapture implements AutoCloseable {
  private final CaptureEpochs epochs;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final long appliedIndex;
  private final long timeMillis;
  private final long digest;
  private final Counters counters;
  private final MetadataView.Totals totals;
  private final RouteCapture routes;
  private final List<Map<SessionId, SessionEntry>> sessions;
  private final List<RuntimeRecord> runtimes;
  private final List<SegmentTable.SegmentCapture> segments;
  private final List<SortedSet<Abandoned>> abandoned;

  StateCapture(StateParts parts) {
    epochs = parts.epochs;
    epochs.begin();
    appliedIndex = parts.appliedIndex;
    timeMillis = parts.timeMillis;
    digest = parts.digest();
    counters = parts.counters;
    totals = parts.totals();
    routes = parts.objects.capture();
    sessions = parts.sessions.captured();
    runtimes = parts.runtimes.list();
    segments = parts.segments.captured();
    abandoned = parts.quarantine.captured();
  }

  /// The index of the last entry in it.
  public long appliedIndex() {
    return appliedIndex;
  }

  /// State time.
  public long appliedTimeMillis() {
    return timeMillis;
  }

  /// The digest of the captured state.
  public long digest() {
    return digest;
  }

  public Counters counters() {
    return counters;
  }

  public MetadataView.Totals totals() {
    return totals;
  }

  /// All runtimes, by id.
  public List<RuntimeRecord> runtimes() {
    return runtimes;
  }

  /// Visits all segments with their allocators, by id. The allocators must not be changed.
  public void forEachSegment(SegmentVisitor visitor) {
    segments.forEach(captured -> visitor.segment(captured.segment(), captured.allocator()));
  }

  /// Visits all routes shard by shard, within a shard by tenant and key.
  public void forEachRoute(Consumer<ObjectRoute> visitor) {
    routes.forEach(visitor);
  }

  /// Visits all sessions in a fixed order.
  public void forEachSession(Consumer<SessionRecord> visitor) {
    for (Map<SessionId, SessionEntry> shard : sessions) {
      List<SessionEntry> entries = new ArrayList<>(shard.values());
      entries.sort(Comparator.comparing(SessionEntry::id));
      entries.forEach(entry -> visitor.accept(entry.record()));
    }
  }

  /// Visits all quarantined ranges, by release time.
  public void forEachAbandoned(Consumer<Abandoned> visitor) {
    abandoned.forEach(bucket -> bucket.forEach(visitor));
  }

  /// Ends the capture; again is harmless. Any thread.
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      routes.close();
      epochs.end();
    }
  }

  /// Told of each segment.
  @FunctionalInterface
  public interface SegmentVisitor {
    void segment(Segment segment, RangeAllocator allocator);
  }
}
