package dev.floe.meta.state.table;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The routes as they were at one moment, while the table goes on changing.
///
/// The applying thread copies nothing: before it changes a route for the first time since the
/// capture, it notes the old one here. A reader copies a shard of the live table, which may have
/// changed under its hands, and then puts the noted routes in their places. Whoever sees a change
/// in the table also sees the note, because the note was made first; so the result is exact.
public final class RouteCapture {
  private static final Comparator<ObjectId> ORDER =
      Comparator.comparing(ObjectId::tenant).thenComparing(ObjectId::key);

  private final ObjectTable table;
  private final AtomicReferenceArray<
          @Nullable ConcurrentSkipListMap<ObjectId, Optional<ObjectRoute>>>
      notes = new AtomicReferenceArray<>(ObjectTable.SHARDS);

  RouteCapture(ObjectTable table) {
    this.table = table;
  }

  /// Notes the route (null: none) that is about to change. On the applying thread.
  void note(int shard, ObjectId id, @Nullable ObjectRoute before) {
    ConcurrentSkipListMap<ObjectId, Optional<ObjectRoute>> noted = notes.get(shard);
    if (noted == null) {
      noted = new ConcurrentSkipListMap<>(ORDER);
      notes.set(shard, noted);
    }
    noted.putIfAbsent(id, Optional.ofNullable(before));
  }

  /// Visits all routes shard by shard, within a shard by tenant and key. Any one thread at a time.
  public void forEach(Consumer<ObjectRoute> visitor) {
    for (int i = 0; i < ObjectTable.SHARDS; i++) {
      TreeMap<ObjectId, ObjectRoute> routes = new TreeMap<>(ORDER);
      table.shard(i).forEach(route -> routes.put(route.id(), route));
      ConcurrentSkipListMap<ObjectId, Optional<ObjectRoute>> noted = notes.get(i);
      if (noted != null) {
        noted.forEach(
            (id, before) ->
                before.ifPresentOrElse(route -> routes.put(id, route), () -> routes.remove(id)));
      }
      routes.values().forEach(visitor);
    }
  }

  /// Ends the capture. Any thread.
  public void close() {
    table.forget(this);
  }
}
