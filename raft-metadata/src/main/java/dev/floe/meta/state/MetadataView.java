package dev.floe.meta.state;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The state as readers see it, safe for many threads beside the one that applies.
///
/// Each method sees whole records; two calls may see states of two different indexes.
public interface MetadataView {
  /// The index of the last entry whose effects are visible.
  long appliedIndex();

  /// Leader time of the last applied entry.
  long appliedTimeMillis();

  /// The object's record whatever its state, or null.
  @Nullable ObjectRoute route(ObjectId id);

  /// Up to `limit` routes of a tenant whose key starts with `prefix` and is greater than `after`
  /// (null: from the start), in key order, whatever their state.
  List<ObjectRoute> list(TenantId tenant, String prefix, @Nullable ObjectKey after, int limit);

  /// How many parts the routes are divided into, by a hash of their ids.
  int shards();

  /// Visits all routes of a part, whatever their state; one that comes or goes meanwhile may be
  /// missed.
  ///
  /// @param shard from 0
  void forEachRouteOf(int shard, Consumer<ObjectRoute> visitor);

  /// The objects of a route's group, itself among them; only itself when it has none.
  List<ObjectId> groupWith(ObjectRoute route);

  @Nullable RuntimeRecord runtime(RuntimeId id);

  /// All runtimes, by id.
  List<RuntimeRecord> runtimes();

  @Nullable Segment segment(SegmentId id);

  /// All segments with their usage, by id.
  List<SegmentUsage> segments();

  /// Whether the session is open.
  boolean hasSession(SessionId id);

  /// All open sessions.
  List<SessionId> sessions();

  /// How much there is.
  Totals totals();

  /// Sums over the state.
  ///
  /// @param objects readable objects
  /// @param objectBytes sum of their sizes
  /// @param writing objects being written
  /// @param abandonedBytes space of dead writes that waits for its release timeout
  record Totals(
      long objects,
      long objectBytes,
      long writing,
      long sessions,
      long capacityBytes,
      long usedBytes,
      long abandonedBytes) {}
}
