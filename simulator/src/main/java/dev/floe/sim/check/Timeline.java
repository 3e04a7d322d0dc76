package dev.floe.sim.check;

import dev.floe.core.time.Ticker;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// When each key became readable and when it ceased to be, by log index.
public final class Timeline {
  private final Ticker ticker;
  private final Map<String, List<Change>> changes = new HashMap<>();
  private final Map<String, ObjectId> ids = new TreeMap<>();

  /// One change; `version` is null when the key ceased to be readable.
  ///
  /// @param atNanos when the first node applied it
  /// @param isLoss whether it was lost with its runtimes, not removed
  public record Change(long index, long atNanos, @Nullable RouteVersion version, boolean isLoss) {}

  public Timeline(Ticker ticker) {
    this.ticker = ticker;
  }

  void readable(ObjectId id, long index, RouteVersion version) {
    of(id).add(new Change(index, ticker.nanos(), version, false));
  }

  void unreadable(ObjectId id, long index, boolean isLoss) {
    of(id).add(new Change(index, ticker.nanos(), null, isLoss));
  }

  /// The keys that were ever readable, in order.
  public List<ObjectId> keys() {
    return List.copyOf(ids.values());
  }

  /// All changes of a key, in the order of the log.
  public List<Change> changes(ObjectId id) {
    return List.copyOf(of(id));
  }

  /// The version that could be read after entry `index`, or null.
  public @Nullable RouteVersion versionAt(ObjectId id, long index) {
    RouteVersion version = null;
    for (Change change : of(id)) {
      if (change.index > index) {
        break;
      }
      version = change.version;
    }
    return version;
  }

  private List<Change> of(ObjectId id) {
    ids.putIfAbsent(id.toString(), id);
    return changes.computeIfAbsent(id.toString(), key -> new ArrayList<>());
  }
}
