package dev.floe.meta.state.table;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.TenantId;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One shard of the routes: tenant, then key in order. Hard state; written by the applying thread,
/// read by any.
final class ObjectShard {
  private final ConcurrentSkipListMap<TenantId, ConcurrentSkipListMap<ObjectKey, ObjectRoute>>
      tenants = new ConcurrentSkipListMap<>();

  @Nullable ObjectRoute get(ObjectId id) {
    ConcurrentSkipListMap<ObjectKey, ObjectRoute> keys = tenants.get(id.tenant());
    return keys == null ? null : keys.get(id.key());
  }

  @Nullable ObjectRoute put(ObjectRoute route) {
    return tenants
        .computeIfAbsent(route.id().tenant(), _ -> new ConcurrentSkipListMap<>())
        .put(route.id().key(), route);
  }

  @Nullable ObjectRoute remove(ObjectId id) {
    ConcurrentSkipListMap<ObjectKey, ObjectRoute> keys = tenants.get(id.tenant());
    if (keys == null) {
      return null;
    }
    ObjectRoute removed = keys.remove(id.key());
    if (keys.isEmpty()) {
      tenants.remove(id.tenant());
    }
    return removed;
  }

  /// A tenant's routes by key, or null when it has none here.
  @Nullable ConcurrentNavigableMap<ObjectKey, ObjectRoute> of(TenantId tenant) {
    return tenants.get(tenant);
  }

  void forEach(Consumer<ObjectRoute> visitor) {
    tenants.values().forEach(keys -> keys.values().forEach(visitor));
  }
}
