package dev.floe.meta.state.table;

import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The registered runtimes. Hard state; written by the applying thread, read by any.
public final class RuntimeTable {
  private final ConcurrentSkipListMap<RuntimeId, RuntimeRecord> runtimes =
      new ConcurrentSkipListMap<>();
  private int count;
  private long digest;
  private long changes;

  /// The runtime, or null; safe for any thread.
  public @Nullable RuntimeRecord get(RuntimeId id) {
    return runtimes.get(id);
  }

  /// The runtime of a segment that exists.
  public RuntimeRecord require(RuntimeId id) {
    RuntimeRecord runtime = runtimes.get(id);
    if (runtime == null) {
      throw new IllegalStateException("runtime " + id + " has a segment but no record");
    }
    return runtime;
  }

  /// Puts a record in the place of the one that was there.
  public void put(RuntimeRecord runtime) {
    RuntimeRecord before = runtimes.put(runtime.id(), runtime);
    if (before == null) {
      count++;
    } else {
      digest -= RecordHash.runtime(before);
    }
    digest += RecordHash.runtime(runtime);
    changes++;
  }

  /// Takes a runtime away; harmless when there is none.
  public void remove(RuntimeId id) {
    RuntimeRecord before = runtimes.remove(id);
    if (before != null) {
      count--;
      digest -= RecordHash.runtime(before);
      changes++;
    }
  }

  /// How many there are.
  public int count() {
    return count;
  }

  /// Grows with every change: what was derived from the table is outdated.
  public long changes() {
    return changes;
  }

  /// The runtimes' part of the state's digest.
  public long digest() {
    return digest;
  }

  /// All of them by id; safe for any thread.
  public List<RuntimeRecord> list() {
    return List.copyOf(runtimes.values());
  }
}
