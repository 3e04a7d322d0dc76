package dev.floe.meta.state.table;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.TenantId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The routes of all objects in 1024 shards. Hard state; written by the applying thread, read by
/// any without locks.
public final class ObjectTable {
  /// A power of two. The shard of an object is the same in every release, because shards are what a
  /// cluster of several groups would divide among them.
  public static final int SHARDS = 1024;

  private final List<ObjectShard> shards;

  /// Captures that are still being read; closed by other threads.
  private final List<RouteCapture> captures = new CopyOnWriteArrayList<>();

  private final RouteIndexes indexes = new RouteIndexes();
  private long objects;
  private long objectBytes;
  private long digest;

  /// An empty table.
  public ObjectTable() {
    shards = Stream.generate(ObjectShard::new).limit(SHARDS).toList();
  }

  static int shardOf(ObjectId id) {
    return (int) (RecordHash.objectId(id) & (SHARDS - 1));
  }

  /// The object's route, or null; safe for any thread.
  public @Nullable ObjectRoute get(ObjectId id) {
    return shards.get(shardOf(id)).get(id);
  }

  /// What follows from the routes.
  public RouteIndexes indexes() {
    return indexes;
  }

  /// Puts a route in the place of the one that was there.
  public void put(ObjectRoute route) {
    int number = shardOf(route.id());
    note(number, route.id());
    replaced(shards.get(number).put(route), route);
  }

  /// Takes a route away that is there.
  public void remove(ObjectRoute route) {
    int number = shardOf(route.id());
    note(number, route.id());
    ObjectRoute removed = shards.get(number).remove(route.id());
    if (removed == null) {
      throw new IllegalStateException("no route of " + route.id() + " to remove");
    }
    replaced(removed, null);
  }

  /// How many objects can be read.
  public long objects() {
    return objects;
  }

  /// The sizes of all objects that can be read.
  public long objectBytes() {
    return objectBytes;
  }

  /// The routes' part of the state's digest.
  public long digest() {
    return digest;
  }

  /// The routes as they are now. On the applying thread.
  public RouteCapture capture() {
    RouteCapture capture = new RouteCapture(this);
    captures.add(capture);
    return capture;
  }

  void forget(RouteCapture capture) {
    captures.remove(capture);
  }

  /// Visits the routes of a shard; safe for any thread.
  public void forEachOf(int shard, Consumer<ObjectRoute> visitor) {
    shards.get(shard).forEach(visitor);
  }

  ObjectShard shard(int number) {
    return shards.get(number);
  }

  /// A page of a tenant's routes in key order; safe for any thread.
  public List<ObjectRoute> list(
      TenantId tenant, String prefix, @Nullable ObjectKey after, int limit) {
    PriorityQueue<Cursor> cursors =
        new PriorityQueue<>(Comparator.comparing(cursor -> cursor.head.id().key()));
    for (int i = 0; i < SHARDS; i++) {
      ConcurrentNavigableMap<ObjectKey, ObjectRoute> keys = shards.get(i).of(tenant);
      if (keys != null) {
        Cursor cursor = Cursor.at(tail(keys, prefix, after).values().iterator(), prefix);
        if (cursor != null) {
          cursors.add(cursor);
        }
      }
    }
    List<ObjectRoute> page = new ArrayList<>();
    while (page.size() < limit && !cursors.isEmpty()) {
      Cursor least = cursors.remove();
      page.add(least.head);
      Cursor next = Cursor.at(least.rest, prefix);
      if (next != null) {
        cursors.add(next);
      }
    }
    return page;
  }

  private static ConcurrentNavigableMap<ObjectKey, ObjectRoute> tail(
      ConcurrentNavigableMap<ObjectKey, ObjectRoute> keys,
      String prefix,
      @Nullable ObjectKey after) {
    ObjectKey first = prefix.isEmpty() ? null : new ObjectKey(prefix);
    if (after != null && (first == null || after.compareTo(first) >= 0)) {
      return keys.tailMap(after, false);
    }
    return first == null ? keys : keys.tailMap(first, true);
  }

  private void replaced(@Nullable ObjectRoute before, @Nullable ObjectRoute after) {
    if (before != null) {
      count(before, -1);
      digest -= RecordHash.route(before);
    }
    if (after != null) {
      count(after, 1);
      digest += RecordHash.route(after);
    }
    indexes.replaced(before, after);
  }

  private void count(ObjectRoute route, int sign) {
    if (route.state() == RouteState.ACTIVE) {
      objects += sign;
      objectBytes += sign * route.content().sizeBytes();
    }
  }

  private void note(int shard, ObjectId id) {
    for (RouteCapture capture : captures) {
      capture.note(shard, id, shards.get(shard).get(id));
    }
  }

  /// The rest of a shard's matching routes.
  private static final class Cursor {
    final ObjectRoute head;
    final Iterator<ObjectRoute> rest;

    private Cursor(ObjectRoute head, Iterator<ObjectRoute> rest) {
      this.head = head;
      this.rest = rest;
    }

    static @Nullable Cursor at(Iterator<ObjectRoute> routes, String prefix) {
      if (!routes.hasNext()) {
        return null;
      }
      ObjectRoute head = routes.next();
      return head.id().key().value().startsWith(prefix) ? new Cursor(head, routes) : null;
    }
  }
}
