package dev.floe.sim.check;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Every put that was ever begun, and whose bytes some bytes are.
///
/// Each put has bytes of its own (`Payload`), so bytes name their put and their place in it.
public final class PutBook {
  private final Map<ObjectId, List<Payload>> byKey = new HashMap<>();
  private final Map<Long, ObjectId> keys = new HashMap<>();
  private final Map<RouteVersion, Payload> versions = new HashMap<>();

  /// A client is about to put a value of so many bytes.
  ///
  /// @return its bytes, which no other put has
  public Payload begin(ObjectId id, int sizeBytes) {
    Payload payload = new Payload(keys.size() + 1L, sizeBytes);
    keys.put(payload.id(), id);
    byKey.computeIfAbsent(id, key -> new ArrayList<>()).add(payload);
    return payload;
  }

  /// The put of that key whose value has this size and these bytes at `from`; the newest one when
  /// they are too few to tell, null when there is none.
  public @Nullable Payload find(ObjectId id, long sizeBytes, long from, byte[] bytes) {
    for (Payload payload : byKey.getOrDefault(id, List.of()).reversed()) {
      if (payload.sizeBytes() == sizeBytes && payload.matches(from, bytes)) {
        return payload;
      }
    }
    return null;
  }

  /// A version of a key was seen to have the bytes of a put; it always has the same ones.
  public void bind(ObjectId id, RouteVersion version, Payload payload) {
    Payload other = versions.putIfAbsent(version, payload);
    Violation.unless(
        other == null || other.equals(payload),
        Invariant.WRONG_BYTES,
        () ->
            "version " + version + " of " + id + " had the bytes of " + other + ", now " + payload);
  }

  /// What bytes are, for a report: the put and the place that they come from.
  public String describe(byte[] bytes) {
    for (Map.Entry<ObjectId, List<Payload>> entry : byKey.entrySet()) {
      for (Payload payload : entry.getValue()) {
        for (int from = 0; from + Math.min(8, bytes.length) <= payload.sizeBytes(); from += 8) {
          int length = Math.min(8, bytes.length);
          if (payload.matches(from, java.util.Arrays.copyOf(bytes, length))) {
            return "they begin like byte " + from + " of put " + payload + " of " + entry.getKey();
          }
        }
      }
    }
    return "they begin like no put";
  }

  /// How many puts were begun.
  public int count() {
    return keys.size();
  }
}
