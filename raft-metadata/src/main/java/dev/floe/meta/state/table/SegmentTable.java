package dev.floe.meta.state.table;

import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.place.RangeAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The mounted segments with their allocators. Hard state; written by the applying thread, records
/// and usage read by any.
public final class SegmentTable {
  private final CaptureEpochs epochs;
  private final ConcurrentSkipListMap<SegmentId, SegmentSlot> slots = new ConcurrentSkipListMap<>();

  /// Derived, in the order of ids.
  private final TreeMap<RuntimeId, TreeMap<SegmentId, SegmentSlot>> byRuntime = new TreeMap<>();

  private final TreeMap<RuntimeId, TreeMap<String, SegmentSlot>> byName = new TreeMap<>();
  private int count;
  private long capacityBytes;
  private long usedBytes;
  private long digest;
  private long changes;

  /// An empty table that copies what an open capture reads.
  public SegmentTable(CaptureEpochs epochs) {
    this.epochs = epochs;
  }

  CaptureEpochs epochs() {
    return epochs;
  }

  /// The segment, or null; safe for any thread.
  public @Nullable SegmentSlot get(SegmentId id) {
    return slots.get(id);
  }

  /// A runtime's segment of that name, or null.
  public @Nullable Segment find(RuntimeId runtime, String name) {
    TreeMap<String, SegmentSlot> names = byName.get(runtime);
    SegmentSlot slot = names == null ? null : names.get(name);
    return slot == null ? null : slot.segment();
  }

  /// Segments of a runtime, by id.
  public List<SegmentSlot> of(RuntimeId runtime) {
    TreeMap<SegmentId, SegmentSlot> own = byRuntime.get(runtime);
    return own == null ? List.of() : List.copyOf(own.values());
  }

  /// Runtimes with at least one segment, by id.
  public List<RuntimeId> runtimes() {
    return List.copyOf(byRuntime.keySet());
  }

  /// Mounts a segment that is not mounted, with what its allocator holds.
  public void add(Segment segment, RangeAllocator allocator) {
    SegmentSlot slot = new SegmentSlot(segment, this, allocator, epochs.current());
    slots.put(segment.id(), slot);
    byRuntime.computeIfAbsent(segment.runtime(), _ -> new TreeMap<>()).put(segment.id(), slot);
    byName.computeIfAbsent(segment.runtime(), _ -> new TreeMap<>()).put(segment.name(), slot);
    count++;
    capacityBytes += segment.capacityBytes();
    usedBytes += allocator.usedBytes();
    digest += RecordHash.segment(segment) + allocator.digest();
    changes++;
  }

  /// Takes a segment away with its allocator, whatever is still allocated in it.
  public void remove(SegmentId id) {
    SegmentSlot slot = slots.remove(id);
    if (slot == null) {
      throw new IllegalStateException(id + " is not mounted");
    }
    Segment segment = slot.segment();
    forget(byRuntime, segment.runtime(), id);
    forget(byName, segment.runtime(), segment.name());
    count--;
    capacityBytes -= segment.capacityBytes();
    usedBytes -= slot.allocator().usedBytes();
    digest -= RecordHash.segment(segment) + slot.allocator().digest();
    changes++;
  }

  /// Gives a replica's space back.
  public void free(ReplicaLocation location) {
    switch (location) {
      case ReplicaLocation.MemoryRange range -> {
        SegmentSlot slot = slots.get(range.segment());
        if (slot == null) {
          throw new IllegalStateException(range + " is in a segment that is not mounted");
        }
        slot.free(range.offsetBytes(), range.lengthBytes());
      }
    }
  }

  void allocatorChanged(long usedBytesDelta, long digestDelta) {
    usedBytes += usedBytesDelta;
    digest += digestDelta;
  }

  /// How many there are.
  public int count() {
    return count;
  }

  /// The capacities of all.
  public long capacityBytes() {
    return capacityBytes;
  }

  /// The bytes of all allocated ranges, abandoned ones included.
  public long usedBytes() {
    return usedBytes;
  }

  /// The segments' and allocators' part of the state's digest.
  public long digest() {
    return digest;
  }

  /// Grows with every mount and unmount: what was derived from the table is outdated.
  public long changes() {
    return changes;
  }

  /// All segments with their usage, by id; safe for any thread.
  public List<SegmentUsage> usages() {
    List<SegmentUsage> usages = new ArrayList<>();
    slots.values().forEach(slot -> usages.add(slot.usage()));
    return usages;
  }

  /// All segments with the allocators as they are now.
  public List<SegmentCapture> captured() {
    List<SegmentCapture> captured = new ArrayList<>(count);
    slots.values().forEach(s -> captured.add(new SegmentCapture(s.segment(), s.allocator())));
    return captured;
  }

  private static <K, M extends Map<K, SegmentSlot>> void forget(
      Map<RuntimeId, M> index, RuntimeId runtime, K key) {
    M own = index.get(runtime);
    if (own != null && own.remove(key) != null && own.isEmpty()) {
      index.remove(runtime);
    }
  }

  /// A segment and its allocator at the time of a capture.
  public record SegmentCapture(Segment segment, RangeAllocator allocator) {}
}
