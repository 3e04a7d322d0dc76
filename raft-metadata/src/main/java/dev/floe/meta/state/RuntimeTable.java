package dev.floe.meta.state;

import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The registered runtimes. Hard state; written by the applying thread, read by any.
final class RuntimeTable {
  private final ConcurrentSkipListMap<RuntimeId, RuntimeRecord> runtimes =
      new ConcurrentSkipListMap<>();
  private int count;
  private long digest;

  /// Grows with every change: what was derived from the table is outdated.
  private long changes;

  @Nullable RuntimeRecord get(RuntimeId id) {
    return runtimes.get(id);
  }

  /// The runtime of a segment that exists.
  RuntimeRecord require(RuntimeId id) {
    RuntimeRecord runtime = runtimes.get(id);
    if (runtime == null) {
      throw new IllegalStateException("runtime " + id + " has a segment but no record");
    }
    return runtime;
  }

  void put(RuntimeRecord runtime) {
    RuntimeRecord before = runtimes.put(runtime.id(), runtime);
    if (before == null) {
      count++;
    } else {
      digest -= RecordHash.runtime(before);
    }
    digest += RecordHash.runtime(runtime);
    changes++;
  }

  void remove(RuntimeId id) {
    RuntimeRecord before = runtimes.remove(id);
    if (before != null) {
      count--;
      digest -= RecordHash.runtime(before);
      changes++;
    }
  }

  int count() {
    return count;
  }

  long changes() {
    return changes;
  }

  long digest() {
    return digest;
  }

  /// All of them by id; safe for any thread.
  List<RuntimeRecord> list() {
    return List.copyOf(runtimes.values());
  }
}
