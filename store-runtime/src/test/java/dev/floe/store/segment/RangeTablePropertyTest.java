package dev.floe.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// Compares the table with a model that knows, for every block of the segment, what a real memory
/// would hold there and who is on it.
class RangeTablePropertyTest {
  private static final int CHUNK = 4096;
  private static final int BLOCKS = 12;
  private static final long TORN = -1;

  @Property(tries = 300)
  void bytesAreReadOnlyUnderTheTokenThatFilledThemAndNeverWhileTheyAreWritten(@ForAll long seed) {
    Model model = new Model(new Random(seed));
    for (int step = 0; step < 300; step++) {
      model.step();
    }
    model.closeAll();
    model.everythingCanBeTakenOverByANewToken();
  }

  @Property(tries = 3)
  void guardsOfManyThreadsNeverOverlap(@ForAll long seed) throws Exception {
    Arena arena = new Arena();
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      Random random = new Random(seed + thread);
      tasks.add(() -> arena.run(random, 4000));
    }
    int reads = 0;
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      for (Future<Integer> result : executor.invokeAll(tasks)) {
        reads += result.get();
      }
    }
    assertThat(reads).as("reads that succeeded: without them nothing was tested").isPositive();
    RangeTable.Stats stats = arena.table.stats();
    assertThat(stats.guards()).isZero();
    assertThat(stats.leaving()).isZero();
  }

  /// One thread that keeps guards open over several steps.
  private static final class Model {
    private final RangeTable table = new RangeTable((long) BLOCKS * CHUNK);
    private final Random random;
    private final long[] content = new long[BLOCKS];
    private final int[] readers = new int[BLOCKS];
    private final int[] writers = new int[BLOCKS];
    private final long[] highest = new long[BLOCKS];
    private final List<Runnable> open = new ArrayList<>();
    private final List<TokenRange> known = new ArrayList<>();
    private long nextToken = 1;

    Model(Random random) {
      this.random = random;
    }

    void step() {
      int dice = random.nextInt(100);
      if (known.isEmpty() || dice < 15) {
        known.add(newRange());
        if (known.size() > 8) {
          known.remove(random.nextInt(known.size()));
        }
      } else if (dice < 60) {
        TokenRange range = known.get(random.nextInt(known.size()));
        write(range, random.nextInt(blocks(range)));
      } else if (dice < 80) {
        read(known.get(random.nextInt(known.size())));
      } else if (!open.isEmpty()) {
        open.remove(random.nextInt(open.size())).run();
      }
    }

    private TokenRange newRange() {
      int first = random.nextInt(BLOCKS);
      long length = (1L + random.nextInt(Math.min(4, BLOCKS - first))) * CHUNK;
      // Now and then numbers arrive out of order, as from two clients.
      nextToken += random.nextInt(4) == 0 ? 3 : 1;
      long token = Math.max(1, nextToken - (random.nextInt(4) == 0 ? 2 : 0));
      return new TokenRange((long) first * CHUNK, length, token, length);
    }

    private void write(TokenRange range, int chunk) {
      int block = first(range) + chunk;
      RangeTable.WriteGuard guard;
      try {
        guard = table.beginWrite(range, CHUNK, (long) chunk * CHUNK, CHUNK, chunk);
      } catch (FloeException e) {
        if (e.code() == ErrorCode.STALE_TOKEN) {
          assertThat(highestOf(range))
              .as("%s was refused: %s", range, e)
              .isGreaterThan(range.token());
        } else {
          assertThat(e.code())
              .isIn(
                  ErrorCode.WRITE_IN_PROGRESS,
                  ErrorCode.ALREADY_EXISTS,
                  ErrorCode.INVALID_ARGUMENT);
          if (e.code() == ErrorCode.WRITE_IN_PROGRESS) {
            see(range);
          }
        }
        return;
      }
      see(range);
      assertThat(readers[block]).as("readers of a block being written").isZero();
      assertThat(writers[block]).as("other writers of a block").isZero();
      writers[block]++;
      content[block] = TORN;
      boolean commits = random.nextInt(5) > 0;
      open.add(
          () -> {
            try {
              if (commits) {
                content[block] = range.token();
                guard.commit();
              }
            } catch (FloeException e) {
              assertThat(e.code()).isEqualTo(ErrorCode.STALE_TOKEN);
            } finally {
              writers[block]--;
              guard.close();
            }
          });
    }

    private void read(TokenRange range) {
      RangeTable.ReadGuard guard;
      try {
        guard = table.beginRead(range, 0, range.length());
      } catch (FloeException e) {
        assertThat(e.code())
            .isIn(ErrorCode.STALE_TOKEN, ErrorCode.NOT_READY, ErrorCode.INVALID_ARGUMENT);
        return;
      }
      for (int block = first(range); block < first(range) + blocks(range); block++) {
        assertThat(content[block])
            .as("what %s reads at block %d", range, block)
            .isEqualTo(range.token());
        assertThat(writers[block]).isZero();
        readers[block]++;
      }
      open.add(
          () -> {
            for (int block = first(range); block < first(range) + blocks(range); block++) {
              assertThat(content[block])
                  .as("block %d while it was read", block)
                  .isEqualTo(range.token());
              readers[block]--;
            }
            guard.close();
          });
    }

    private void see(TokenRange range) {
      for (int block = first(range); block < first(range) + blocks(range); block++) {
        highest[block] = Math.max(highest[block], range.token());
      }
    }

    private long highestOf(TokenRange range) {
      long max = 0;
      for (int block = first(range); block < first(range) + blocks(range); block++) {
        max = Math.max(max, highest[block]);
      }
      return max;
    }

    void closeAll() {
      open.forEach(Runnable::run);
      open.clear();
      assertThat(table.stats().guards()).isZero();
      assertThat(table.stats().leaving()).isZero();
    }

    void everythingCanBeTakenOverByANewToken() {
      TokenRange all =
          new TokenRange(0, (long) BLOCKS * CHUNK, nextToken + 1, (long) BLOCKS * CHUNK);
      for (int chunk = 0; chunk < BLOCKS; chunk++) {
        write(all, chunk);
      }
      assertThat(open).as("writes that were let in").hasSize(BLOCKS);
      open.forEach(Runnable::run);
      assertThat(table.stats().ranges()).isEqualTo(1);
    }
  }

  /// Many threads on one table; the arrays find out when two guards that exclude each other are held.
  private static final class Arena {
    final RangeTable table = new RangeTable((long) BLOCKS * CHUNK);
    private final AtomicLong tokens = new AtomicLong();
    private final AtomicLongArray content = new AtomicLongArray(BLOCKS);
    private final AtomicIntegerArray occupied = new AtomicIntegerArray(BLOCKS);

    int run(Random random, int rounds) {
      int reads = 0;
      for (int round = 0; round < rounds; round++) {
        int first = random.nextInt(BLOCKS);
        long length = (1L + random.nextInt(Math.min(3, BLOCKS - first))) * CHUNK;
        TokenRange range =
            new TokenRange((long) first * CHUNK, length, tokens.incrementAndGet(), length);
        if (fill(range)) {
          for (int i = 0; i < 3; i++) {
            reads += read(range) ? 1 : 0;
          }
        }
      }
      return reads;
    }

    private boolean fill(TokenRange range) {
      boolean complete = false;
      for (int chunk = 0; chunk < blocks(range); chunk++) {
        int block = first(range) + chunk;
        try (RangeTable.WriteGuard guard =
            table.beginWrite(range, CHUNK, (long) chunk * CHUNK, CHUNK, chunk)) {
          if (!occupied.compareAndSet(block, 0, -1)) {
            throw new AssertionError("a writer met " + occupied.get(block) + " at " + block);
          }
          content.set(block, TORN);
          LockSupport.parkNanos(1);
          content.set(block, range.token());
          occupied.set(block, 0);
          complete = guard.commit();
        } catch (FloeException e) {
          return false;
        }
      }
      return complete;
    }

    private boolean read(TokenRange range) {
      try (RangeTable.ReadGuard guard = table.beginRead(range, 0, range.length())) {
        for (int block = first(range); block < first(range) + blocks(range); block++) {
          if (occupied.getAndIncrement(block) < 0 || content.get(block) != range.token()) {
            throw new AssertionError(range + " reads " + content.get(block) + " at " + block);
          }
        }
        LockSupport.parkNanos(1);
        for (int block = first(range); block < first(range) + blocks(range); block++) {
          if (content.get(block) != range.token()) {
            throw new AssertionError(range + " reads " + content.get(block) + " at " + block);
          }
          occupied.decrementAndGet(block);
        }
        return guard.checksum().isPresent() || blocks(range) > 1;
      } catch (FloeException e) {
        return false;
      }
    }
  }

  private static int first(TokenRange range) {
    return (int) (range.offset() / CHUNK);
  }

  private static int blocks(TokenRange range) {
    return (int) (range.length() / CHUNK);
  }
}
