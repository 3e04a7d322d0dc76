package dev.floe.meta.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class RangeAllocatorPropertyTest {
  private static final long CAPACITY = 1 << 20;

  /// Random requests and releases: ranges never overlap, sums are right, and an allocator rebuilt
  /// in between answers like the one that went on, whatever their node numbers.
  @Property(tries = 100)
  void rangesNeverOverlapAndARebuiltAllocatorAnswersTheSame(
      @ForAll long seed, @ForAll @LongRange(min = 1, max = 40_000) long sizeMax) {
    Random random = new Random(seed);
    RangeAllocator one = new RangeAllocator(CAPACITY, 9);
    RangeAllocator other = new RangeAllocator(CAPACITY, 9);
    TreeMap<Long, Long> live = new TreeMap<>();
    for (int step = 0; step < 300; step++) {
      if (live.isEmpty() || random.nextInt(5) < 3) {
        long size = random.nextLong(sizeMax);
        long offset = one.allocate(size);
        assertThat(other.allocate(size)).isEqualTo(offset);
        if (offset != RangeAllocator.NONE) {
          assertThat(live.put(offset, RangeAllocator.rangeBytes(size))).isNull();
        }
      } else {
        List<Long> offsets = new ArrayList<>(live.keySet());
        long offset = offsets.get(random.nextInt(offsets.size()));
        assertThat(one.free(offset)).isEqualTo(live.remove(offset));
        other.free(offset);
      }
      assertThat(other.digest()).isEqualTo(one.digest());
      if (random.nextInt(20) == 0) {
        other = RangeAllocatorTest.rebuilt(other, CAPACITY, 9);
      }
      if (random.nextInt(20) == 0) {
        one = one.successor();
      }
    }
    assertThat(one.verify()).isEmpty();
    assertThat(other.verify()).isEmpty();
    assertThat(RangeAllocatorTest.ranges(other)).isEqualTo(RangeAllocatorTest.ranges(one));
    assertThat(used(one)).isEqualTo(live);
  }

  private static Map<Long, Long> used(RangeAllocator allocator) {
    TreeMap<Long, Long> used = new TreeMap<>();
    allocator.forEachRange(
        (offset, length, isUsed) -> {
          if (isUsed) {
            used.put(offset, length);
          }
        });
    return used;
  }

  @Property(tries = 20)
  void theIndexFindsWhatWasPutAndNotWhatWasRemoved(@ForAll long seed) {
    Random random = new Random(seed);
    NodeIndex index = new NodeIndex();
    TreeMap<Long, Integer> model = new TreeMap<>();
    for (int step = 0; step < 20_000; step++) {
      long offset = random.nextInt(8000) * 7L;
      Integer known = model.get(offset);
      assertThat(index.get(offset)).isEqualTo(known == null ? NodeIndex.NONE : known);
      if (known == null) {
        index.put(offset, step);
        model.put(offset, step);
      } else if (random.nextBoolean()) {
        assertThat(index.remove(offset)).isEqualTo(known);
        model.remove(offset);
        assertThat(index.remove(offset)).isEqualTo(NodeIndex.NONE);
      }
    }
    model.forEach((offset, node) -> assertThat(index.get(offset)).isEqualTo(node));
  }
}
