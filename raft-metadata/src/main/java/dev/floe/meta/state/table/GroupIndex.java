package dev.floe.meta.state.table;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.TenantId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/// The members of each group of each tenant, complete or not, in key order. Derived; written by the
/// applying thread, read by any.
public final class GroupIndex {
  private final Map<Group, ConcurrentSkipListSet<ObjectKey>> members = new ConcurrentHashMap<>();

  private record Group(TenantId tenant, String name) {}

  /// Notes that the route `before` (null: none) gave way to `after` (null: none).
  void replaced(@Nullable ObjectRoute before, @Nullable ObjectRoute after) {
    Group left = groupOf(before);
    Group joined = groupOf(after);
    if (left == null ? joined == null : left.equals(joined)) {
      return;
    }
    if (before != null && left != null) {
      ConcurrentSkipListSet<ObjectKey> rest = members.get(left);
      if (rest == null || !rest.remove(before.id().key())) {
        throw new IllegalStateException("group " + left + " does not hold " + before.id());
      }
      if (rest.isEmpty()) {
        members.remove(left);
      }
    }
    if (after != null && joined != null) {
      members.computeIfAbsent(joined, _ -> new ConcurrentSkipListSet<>()).add(after.id().key());
    }
  }

  /// The members of an object's group, itself among them; only itself when it has none.
  public List<ObjectId> membersWith(ObjectRoute route) {
    Group group = groupOf(route);
    ConcurrentSkipListSet<ObjectKey> all = group == null ? null : members.get(group);
    return all == null
        ? List.of(route.id())
        : all.stream().map(key -> new ObjectId(route.id().tenant(), key)).toList();
  }

  private static @Nullable Group groupOf(@Nullable ObjectRoute route) {
    return route == null || route.retention().group().isEmpty()
        ? null
        : new Group(route.id().tenant(), route.retention().group());
  }
}
