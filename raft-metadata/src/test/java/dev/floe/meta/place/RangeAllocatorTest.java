package dev.floe.meta.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RangeAllocatorTest {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final long GIB = 1024 * MIB;

  /// Allocates until the first failure; the offsets.
  private static List<Long> fill(RangeAllocator allocator, long size) {
    List<Long> offsets = new ArrayList<>();
    for (long offset = allocator.allocate(size);
        offset != RangeAllocator.NONE;
        offset = allocator.allocate(size)) {
      offsets.add(offset);
    }
    return offsets;
  }

  @Test
  void requestsAreRoundedUpByLessThanASixteenth() {
    assertThat(RangeAllocator.rangeBytes(0)).isEqualTo(64);
    assertThat(RangeAllocator.rangeBytes(1)).isEqualTo(64);
    assertThat(RangeAllocator.rangeBytes(65)).isEqualTo(128);
    assertThat(RangeAllocator.rangeBytes(Limits.SEGMENT_BYTES_MAX))
        .isEqualTo(Limits.SEGMENT_BYTES_MAX);
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long size = random.nextLong() >>> (20 + random.nextInt(43));
      long range = RangeAllocator.rangeBytes(size);
      assertThat(range).isGreaterThanOrEqualTo(size);
      assertThat(range - size).isLessThan(64 + size / 16 + 1);
      assertThat(RangeAllocator.rangeBytes(range)).isEqualTo(range);
    }
    assertThatThrownBy(() -> RangeAllocator.rangeBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void freedNeighboursMergeInEveryOrder() {
    int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int[] order : orders) {
      RangeAllocator allocator = new RangeAllocator(MIB, 1);
      long digest = allocator.digest();
      long[] offsets = {
        allocator.allocate(100 * KIB), allocator.allocate(200 * KIB), allocator.allocate(1)
      };
      for (int which : order) {
        allocator.free(offsets[which]);
        assertThat(allocator.verify()).isEmpty();
      }
      assertThat(allocator.largestFreeBytes()).isEqualTo(MIB);
      assertThat(allocator.usedBytes()).isZero();
      assertThat(allocator.digest()).isEqualTo(digest);
    }
  }

  @Test
  void freeingWhatIsNotAllocatedIsADefectOfTheCaller() {
    RangeAllocator allocator = new RangeAllocator(MIB, 1);
    long offset = allocator.allocate(1000);
    allocator.free(offset);

    for (long bad : new long[] {offset, 64, 1, -64, MIB, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> allocator.free(bad)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(allocator.verify()).isEmpty();
  }

  @Test
  void theLargestFreeRangeIsExactlyTheLimitOfWhatFits() {
    Random random = new Random(7);
    RangeAllocator allocator = new RangeAllocator(10 * MIB + 777, 1);
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      long size = random.nextLong(1, 300 * KIB);
      boolean fits = RangeAllocator.rangeBytes(size) <= allocator.largestFreeBytes();
      long offset = allocator.allocate(size);
      assertThat(offset != RangeAllocator.NONE).isEqualTo(fits);
      if (fits) {
        live.add(offset);
      }
      if (!fits || random.nextInt(3) == 0) {
        allocator.free(live.remove(random.nextInt(live.size())));
      }
    }
    assertThat(allocator.verify()).isEmpty();
  }

  @Test
  void uniformSizesUseNearlyTheWholeSegmentAgainAndAgain() {
    for (long size : new long[] {64, 100, 1000, 4096, 5000, 65_537, MIB, 3 * MIB + 1}) {
      RangeAllocator allocator = new RangeAllocator(GIB / (size < 4096 ? 1024 : 16), 1);
      int count = fill(allocator, size).size();
      assertThat((double) count * size / allocator.capacityBytes())
          .as("utilisation with %d bytes", size)
          .isGreaterThan(size == 100 ? 0.75 : 0.87);
      assertThat(allocator.usedBytes() + RangeAllocator.rangeBytes(size))
          .as("only the rest at the end is free")
          .isGreaterThan(allocator.capacityBytes());
    }
  }

  @Test
  void uniformSizesDoNotFragmentUnderChurn() {
    RangeAllocator allocator = new RangeAllocator(256 * MIB, 1);
    List<Long> live = fill(allocator, 70_000);
    int full = live.size();
    Random random = new Random(3);
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < full / 2; i++) {
        allocator.free(live.remove(random.nextInt(live.size())));
      }
      live.addAll(fill(allocator, 70_000));
      assertThat(live).hasSize(full);
    }
    assertThat(allocator.verify()).isEmpty();
  }

  @Test
  void randomSizesFillMostOfTheSegmentBeforeTheFirstFailure() {
    double sum = 0;
    int rounds = 30;
    for (int round = 0; round < rounds; round++) {
      Random random = new Random(round);
      RangeAllocator allocator = new RangeAllocator(GIB, 1);
      long requested = 0;
      while (true) {
        long size = random.nextLong(KIB, 64 * MIB);
        if (allocator.allocate(size) == RangeAllocator.NONE) {
          break;
        }
        requested += size;
      }
      sum += (double) requested / GIB;
    }
    assertThat(sum / rounds).as("mean utilisation").isGreaterThan(0.84);
  }

  @Test
  void otherSizesFitAfterEverythingWasFreed() {
    RangeAllocator allocator = new RangeAllocator(64 * MIB, 1);
    Random random = new Random(5);
    for (long size : new long[] {1024, 10_000, 300_000, 5 * MIB, 64 * MIB}) {
      List<Long> offsets = fill(allocator, size);
      assertThat((double) offsets.size() * RangeAllocator.rangeBytes(size) / (64 * MIB))
          .as("%d bytes", size)
          .isGreaterThan(0.87);
      Collections.shuffle(offsets, random);
      offsets.forEach(allocator::free);
      assertThat(allocator.largestFreeBytes()).isEqualTo(64 * MIB);
    }
  }

  @Test
  void hugeAndTinySegmentsWork() {
    RangeAllocator huge = new RangeAllocator(Limits.SEGMENT_BYTES_MAX, 1);
    long first = huge.allocate(5L << 40);
    long second = huge.allocate(5L << 40);
    assertThat(second - first).isEqualTo(5L << 40);
    assertThat(huge.allocate(7L << 40)).isEqualTo(RangeAllocator.NONE);
    assertThat(huge.verify()).isEmpty();

    RangeAllocator tiny = new RangeAllocator(63, 1);
    assertThat(tiny.allocate(0)).isEqualTo(RangeAllocator.NONE);
    assertThat(tiny.largestFreeBytes()).isZero();
    assertThat(tiny.verify()).isEmpty();
  }

  @Test
  void anEmptyHugeSegmentCostsLittleHeap() {
    // 20,000 of them in a heap of 1 GiB: at most some KiB each.
    List<RangeAllocator> many = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      many.add(new RangeAllocator(Limits.SEGMENT_BYTES_MAX, i));
    }
    assertThat(many).allMatch(allocator -> allocator.allocate(1) == 0);
  }

  @Test
  void aSuccessorGoesOnAndTheOldOneStays() {
    RangeAllocator old = new RangeAllocator(MIB, 1);
    Random random = new Random(2);
    List<Long> live = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      live.add(old.allocate(random.nextInt(1000)));
    }
    List<String> before = ranges(old);
    long digest = old.digest();

    RangeAllocator successor = old.successor();
    live.forEach(successor::free);

    assertThat(ranges(old)).isEqualTo(before);
    assertThat(old.digest()).isEqualTo(digest);
    assertThat(successor.verify()).isEmpty();
    assertThat(successor.usedBytes()).isZero();
  }

  @Test
  void aRecordThatIsNoAllocatorIsRefused() {
    assertCorrupt(new RangeAllocatorBuilder(640, 1)::build);
    assertCorrupt(() -> new RangeAllocatorBuilder(640, 1).range(641, true));
    assertCorrupt(() -> new RangeAllocatorBuilder(640, 1).range(704, true));
    assertCorrupt(() -> new RangeAllocatorBuilder(640, 1).range(0, true));
    assertCorrupt(() -> new RangeAllocatorBuilder(640, 1).range(-64, true));
    RangeAllocatorBuilder two = new RangeAllocatorBuilder(640, 1);
    two.range(64, false);
    assertCorrupt(() -> two.range(64, false));
    RangeAllocatorBuilder unlisted = new RangeAllocatorBuilder(640, 1);
    unlisted.range(640, false);
    assertCorrupt(unlisted::build);
    assertCorrupt(() -> unlisted.free(64));
    unlisted.free(0);
    assertCorrupt(() -> unlisted.free(0));
    assertThat(unlisted.build().largestFreeBytes()).isEqualTo(640);
  }

  private static void assertCorrupt(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(FloeException.class)
        .extracting(e -> ((FloeException) e).code())
        .isEqualTo(ErrorCode.CORRUPT);
  }

  static List<String> ranges(RangeAllocator allocator) {
    List<String> ranges = new ArrayList<>();
    allocator.forEachRange((o, l, used) -> ranges.add(o + "+" + l + (used ? " used" : " free")));
    allocator.forEachFree(offset -> ranges.add("free " + offset));
    return ranges;
  }

  /// What a snapshot does with an allocator.
  static RangeAllocator rebuilt(RangeAllocator allocator, long capacityBytes, long salt) {
    RangeAllocatorBuilder builder = new RangeAllocatorBuilder(capacityBytes, salt);
    allocator.forEachRange((_, length, isUsed) -> builder.range(length, isUsed));
    allocator.forEachFree(builder::free);
    return builder.build();
  }
}
