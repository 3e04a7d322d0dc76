package dev.floe.meta.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.meta.command.MetadataCommand.Strategy;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SegmentId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AllocationStrategyTest {
  private static final long MIB = 1 << 20;

  /// A segment with nothing around it.
  private record FreeSegment(SegmentId id, RangeAllocator allocator) implements SegmentSpace {
    FreeSegment(long id, long capacity) {
      this(new SegmentId(id), new RangeAllocator(capacity, id));
    }

    @Override
    public long capacityBytes() {
      return allocator.capacityBytes();
    }

    @Override
    public long freeBytes() {
      return allocator.capacityBytes() - allocator.usedBytes();
    }

    @Override
    public long largestFreeBytes() {
      return allocator.largestFreeBytes();
    }

    @Override
    public long allocate(long bytes) {
      return allocator.allocate(bytes);
    }
  }

  private static List<Candidate> ring(int runtimes, long capacity) {
    List<Candidate> ring = new ArrayList<>();
    for (int i = 0; i < runtimes; i++) {
      ring.add(
          new Candidate(
              new RuntimeId(String.format("r%03d", i)), List.of(new FreeSegment(i, capacity))));
    }
    return ring;
  }

  private static List<Placed> place(
      Strategy strategy, List<Candidate> ring, long size, int replicas, long seed) {
    return AllocationStrategy.of(strategy)
        .place(ring, new PlaceRequest(size, replicas, List.of(), seed));
  }

  @Test
  void theSameSeedGivesTheSamePlaces() {
    for (Strategy strategy : Strategy.values()) {
      for (long seed = 0; seed < 50; seed++) {
        assertThat(place(strategy, ring(20, MIB), 100, 3, seed))
            .isEqualTo(place(strategy, ring(20, MIB), 100, 3, seed))
            .hasSize(3);
      }
    }
  }

  @Test
  void chanceSpreadsOverAllRuntimes() {
    for (Strategy strategy : Strategy.values()) {
      Map<RuntimeId, Integer> counts = new TreeMap<>();
      List<Candidate> ring = ring(10, 64 * MIB);
      for (long seed = 0; seed < 2000; seed++) {
        for (Placed placed : place(strategy, ring, 1000, 2, StableHash.mix(seed))) {
          counts.merge(placed.runtime(), 1, Integer::sum);
        }
      }
      assertThat(counts).hasSize(10);
      assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(280, 520));
    }
  }

  @Test
  void theLastRoomIsFoundWhereverItIs() {
    for (Strategy strategy : Strategy.values()) {
      for (long seed = 0; seed < 30; seed++) {
        List<Candidate> ring = new ArrayList<>(ring(200, 64));
        RuntimeId roomy = new RuntimeId("r150a");
        ring.add(151, new Candidate(roomy, List.of(new FreeSegment(999, MIB))));

        List<Placed> placed = place(strategy, ring, 1000, 3, StableHash.mix(seed));

        assertThat(placed).extracting(Placed::runtime).containsExactly(roomy);
      }
    }
  }

  @Test
  void theFreestOfTheSampleComesFirst() {
    List<Candidate> ring = ring(6, MIB);
    for (int i = 0; i < 5; i++) {
      ring.get(i).segments().getFirst().allocate((i + 1) * 100_000L);
    }
    for (long seed = 0; seed < 20; seed++) {
      assertThat(place(Strategy.FREE_RATIO_FIRST, ring, 1, 1, seed))
          .extracting(placed -> placed.runtime().value())
          .containsExactly("r005");
    }
  }

  @Test
  void withinARuntimeTheFreestSegmentWithRoomIsUsed() {
    FreeSegment small = new FreeSegment(1, 4096);
    FreeSegment full = new FreeSegment(2, MIB);
    FreeSegment free = new FreeSegment(3, MIB);
    full.allocate(MIB / 2);
    List<Candidate> ring = List.of(new Candidate(new RuntimeId("r"), List.of(small, full, free)));

    assertThat(place(Strategy.RANDOM, ring, 100_000, 1, 1).getFirst().segment())
        .isEqualTo(free.id());
    assertThat(place(Strategy.RANDOM, ring, 100, 1, 1).getFirst().segment()).isEqualTo(small.id());
  }

  @Test
  void anEmptyRingGivesNothing() {
    for (Strategy strategy : Strategy.values()) {
      assertThat(place(strategy, List.of(), 1, 3, 5)).isEmpty();
      assertThat(place(strategy, ring(3, 64), 1000, 3, 5)).isEmpty();
    }
  }

  @Test
  void stableHashesStayTheSame() {
    assertThat(StableHash.mix(1)).isEqualTo(0x5692161d100b05e5L);
    assertThat(StableHash.add(0, "abcde")).isNotEqualTo(StableHash.add(0, "abcdf"));
    assertThat(StableHash.add(StableHash.add(0, "ab"), "c"))
        .isNotEqualTo(StableHash.add(StableHash.add(0, "a"), "bc"));
  }
}
