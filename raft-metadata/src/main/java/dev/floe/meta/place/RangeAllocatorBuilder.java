package dev.floe.meta.place;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.util.ArrayList;
import java.util.List;

/// Rebuilds an allocator from what its visitors told: first all ranges by offset, then the offsets
/// of the free ones in the order of their lists.
///
/// @see RangeAllocator#forEachRange
/// @see RangeAllocator#forEachFree
public final class RangeAllocatorBuilder {
  private final RangeAllocator allocator;
  private final long capacityGranules;
  private final NodeIndex freeByOffset = new NodeIndex();
  private final List<Integer> order = new ArrayList<>();
  private int last = -1;
  private long endGranules;
  private boolean isLastFree;
  private long free;

  public RangeAllocatorBuilder(long capacityBytes, long salt) {
    allocator = RangeAllocator.incomplete(capacityBytes, salt);
    capacityGranules = allocator.capacityBytes() / RangeAllocator.GRANULE_BYTES;
  }

  /// Adds the next range.
  ///
  /// @throws FloeException `CORRUPT` when no allocator has such a range there
  public void range(long lengthBytes, boolean isUsed) {
    long granules = lengthBytes / RangeAllocator.GRANULE_BYTES;
    if (lengthBytes <= 0
        || lengthBytes % RangeAllocator.GRANULE_BYTES != 0
        || granules > capacityGranules - endGranules) {
      throw corrupt("a range of " + lengthBytes + " bytes at granule " + endGranules);
    }
    if (!isUsed && isLastFree) {
      throw corrupt("two free ranges side by side at granule " + endGranules);
    }
    last = allocator.append(last, granules, isUsed);
    if (!isUsed) {
      freeByOffset.put(endGranules, last);
      free++;
    }
    endGranules += granules;
    isLastFree = !isUsed;
  }

  /// Adds the next free range of the lists.
  ///
  /// @throws FloeException `CORRUPT` when there is no such range or it was listed before
  public void free(long offsetBytes) {
    int node =
        offsetBytes % RangeAllocator.GRANULE_BYTES == 0
            ? freeByOffset.remove(offsetBytes / RangeAllocator.GRANULE_BYTES)
            : NodeIndex.NONE;
    if (node == NodeIndex.NONE) {
      throw corrupt("the free list names offset " + offsetBytes + ", which is not free or twice");
    }
    order.add(node);
  }

  /// The allocator.
  ///
  /// @throws FloeException `CORRUPT` when ranges or free lists are not complete
  public RangeAllocator build() {
    if (endGranules != capacityGranules) {
      throw corrupt("ranges end at granule " + endGranules + " of " + capacityGranules);
    }
    if (order.size() != free) {
      throw corrupt(order.size() + " of " + free + " free ranges are listed");
    }
    // Linking puts a range at the head of its list, so the last one comes first.
    for (int i = order.size() - 1; i >= 0; i--) {
      allocator.link(order.get(i));
    }
    return allocator;
  }

  private static FloeException corrupt(String what) {
    return new FloeException(ErrorCode.CORRUPT, "the allocator's record has " + what);
  }
}
