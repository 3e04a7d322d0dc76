package dev.floe.store.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeTableTest {
  private static final int CHUNK = 4096;
  private static final long CAPACITY = 64L * CHUNK;

  private final RangeTable table = new RangeTable(CAPACITY);

  @Test
  void readsWhatItsTokenFilled() {
    TokenRange range = range(0, 3, 7);
    assertThat(write(range, 0)).isFalse();
    assertThat(write(range, 2)).isFalse();
    assertThat(write(range, 1)).isTrue();
    try (RangeTable.ReadGuard guard = table.beginRead(range, CHUNK, CHUNK)) {
      assertThat(guard.checksum()).hasValue(1);
    }
    try (RangeTable.ReadGuard guard = table.beginRead(range, 1, CHUNK)) {
      assertThat(guard.checksum()).isEmpty();
    }
  }

  @Test
  void readOfAHalfWrittenRangeIsNotReady() {
    TokenRange range = range(0, 2, 7);
    write(range, 0);
    assertFails(ErrorCode.NOT_READY, () -> table.beginRead(range, 0, 1));
  }

  @Test
  void readOfAnUnknownRangeIsStale() {
    assertFails(ErrorCode.STALE_TOKEN, () -> table.beginRead(range(0, 2, 7), 0, 1));
  }

  @Test
  void aChunkThatWasNotCommittedIsNotThere() {
    TokenRange range = range(0, 1, 7);
    table.beginWrite(range, CHUNK, 0, CHUNK, 0).close();
    assertFails(ErrorCode.NOT_READY, () -> table.beginRead(range, 0, 1));
    assertThat(write(range, 0)).isTrue();
  }

  @Test
  void lateWriterOfAnOlderTokenIsRefused() {
    fill(range(4, 4, 9));
    for (TokenRange late : new TokenRange[] {range(4, 4, 8), range(0, 5, 8), range(7, 9, 8)}) {
      assertFails(ErrorCode.STALE_TOKEN, () -> write(late, 0));
    }
    readAll(range(4, 4, 9));
    assertThat(table.stats().staleTokens()).isEqualTo(3);
  }

  @Test
  void newerTokenTakesTheBytesOverAndTheOldOneIsNeverReadAgain() {
    fill(range(4, 4, 9));
    fill(range(6, 4, 10));
    assertFails(ErrorCode.STALE_TOKEN, () -> table.beginRead(range(4, 4, 9), 0, 1));
    readAll(range(6, 4, 10));
  }

  @Test
  void oneRangeSplitsIntoSeveralWhateverTheOrderOfTheirWrites() {
    fill(range(0, 8, 5));
    fill(range(4, 4, 7));
    fill(range(0, 4, 6));
    readAll(range(4, 4, 7));
    readAll(range(0, 4, 6));
  }

  @Test
  void newWriterStaysOutUntilReadersHaveLeft() {
    TokenRange old = range(0, 2, 5);
    TokenRange next = range(1, 2, 6);
    fill(old);
    RangeTable.ReadGuard reader = table.beginRead(old, 0, 2 * CHUNK);
    assertFails(ErrorCode.WRITE_IN_PROGRESS, () -> write(next, 0));
    assertFails(ErrorCode.STALE_TOKEN, () -> table.beginRead(old, 0, 1));
    assertFails(ErrorCode.WRITE_IN_PROGRESS, () -> write(next, 0));
    assertThat(table.stats().leaving()).isEqualTo(1);
    reader.close();
    fill(next);
    readAll(next);
    assertThat(table.stats().leaving()).isZero();
  }

  @Test
  void newWriterStaysOutUntilOldWritersHaveLeftAndThoseCannotCommit() {
    TokenRange old = range(0, 2, 5);
    TokenRange next = range(0, 2, 6);
    RangeTable.WriteGuard writer = table.beginWrite(old, CHUNK, 0, CHUNK, 0);
    assertFails(ErrorCode.WRITE_IN_PROGRESS, () -> write(next, 0));
    assertFails(ErrorCode.STALE_TOKEN, writer::commit);
    assertFails(ErrorCode.STALE_TOKEN, () -> write(old, 1));
    writer.close();
    fill(next);
    readAll(next);
  }

  @Test
  void neighboursOfALeavingRangeAreNotHindered() {
    fill(range(0, 2, 5));
    RangeTable.ReadGuard reader = table.beginRead(range(0, 2, 5), 0, 1);
    assertFails(ErrorCode.WRITE_IN_PROGRESS, () -> write(range(1, 2, 6), 0));
    fill(range(3, 2, 7));
    reader.close();
  }

  @Test
  void twoRequestsNeverFillTheSameChunk() {
    TokenRange range = range(0, 2, 5);
    RangeTable.WriteGuard first = table.beginWrite(range, CHUNK, 0, CHUNK, 0);
    assertFails(ErrorCode.WRITE_IN_PROGRESS, () -> write(range, 0));
    assertThat(write(range, 1)).isFalse();
    first.commit();
    first.close();
    readAll(range);
  }

  @Test
  void repeatingAWrittenChunkChangesNothing() {
    TokenRange range = range(0, 2, 5);
    write(range, 0);
    assertFails(ErrorCode.ALREADY_EXISTS, () -> write(range, 0));
    assertFails(
        ErrorCode.INVALID_ARGUMENT, () -> table.beginWrite(range, CHUNK, 0, CHUNK, 99).close());
    write(range, 1);
    assertFails(ErrorCode.ALREADY_EXISTS, () -> write(range, 1));
    readAll(range);
  }

  @Test
  void anEmptyValueIsOneEmptyChunk() {
    TokenRange range = new TokenRange(0, 1, 5, 0);
    assertFails(ErrorCode.STALE_TOKEN, () -> table.beginRead(range, 0, 0));
    RangeTable.WriteGuard guard = table.beginWrite(range, CHUNK, 0, 0, 0);
    assertThat(guard.commit()).isTrue();
    guard.close();
    table.beginRead(range, 0, 0).close();
  }

  @Test
  void theSameTokenCannotNameAnotherRangeSizeOrChunk() {
    write(range(0, 4, 5), 0);
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> write(range(0, 3, 5), 0));
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> write(range(2, 4, 5), 0));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        () -> table.beginWrite(range(0, 4, 5), 2 * CHUNK, 2 * CHUNK, 2 * CHUNK, 0));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        () -> table.beginWrite(new TokenRange(0, 4 * CHUNK, 5, 1), CHUNK, 0, 1, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 4096, 5, 4096",
    "0, 0, 5, 0",
    "0, -1, 5, 0",
    "0, 262145, 5, 1",
    "262144, 1, 5, 1",
    "9223372036854775807, 9223372036854775807, 5, 1",
    "1, 9223372036854775807, 5, 1",
    "-9223372036854775808, 1, 5, 1",
    "0, 4096, 5, 4097",
    "0, 4096, 5, -1",
    "0, 4096, 0, 4096",
    "0, 4096, -3, 4096",
  })
  void refusesRangesThatAreNotWithinTheSegment(
      long offset, long length, long token, long objectBytes) {
    TokenRange range = new TokenRange(offset, length, token, objectBytes);
    int size = Math.clamp(objectBytes, 0, CHUNK);
    assertFails(
        ErrorCode.INVALID_ARGUMENT, () -> table.beginWrite(range, CHUNK, 0, size, 0).close());
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> table.beginRead(range, 0, 0).close());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 4096",
    "-1, 0, 4096",
    "100, 0, 100",
    "2147483647, 0, 8193",
    "4096, 0, 4095",
    "4096, 1, 4096",
    "4096, -4096, 4096",
    "4096, 8192, 4096",
    "4096, 8192, 0",
    "4096, 12288, 1",
    "4096, 9223372036854771712, 4096",
    "4096, 0, -1",
  })
  void refusesWhatIsNoChunkOfTheValue(int chunkBytes, long from, long length) {
    TokenRange range = new TokenRange(0, 3 * CHUNK, 5, 2 * CHUNK + 1);
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        () -> table.beginWrite(range, chunkBytes, from, length, 0).close());
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1",
    "0, -1",
    "0, 8194",
    "8193, 1",
    "9223372036854775807, 1",
    "1, 9223372036854775807",
    "-9223372036854775808, 9223372036854775807",
  })
  void refusesReadsOutsideTheValue(long from, long length) {
    TokenRange range = new TokenRange(0, 3 * CHUNK, 5, 2 * CHUNK + 1);
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> table.beginRead(range, from, length).close());
  }

  @Test
  void keepsNoMoreRangesThanTheHeapHasRoomForButLetsThemBeTakenOver() {
    RangeTable small = new RangeTable(CAPACITY, new RangeBudget(2 * RangeBudget.bytesOf(1)));
    for (int i = 0; i < 2; i++) {
      small.beginWrite(range(i, 1, i + 1), CHUNK, 0, CHUNK, 0).close();
    }
    assertThatThrownBy(() -> small.beginWrite(range(2, 1, 3), CHUNK, 0, CHUNK, 0).close())
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE))
        .hasMessageContaining("of " + 2 * RangeBudget.bytesOf(1))
        .hasMessageContaining("raise -Xmx");
    small.beginWrite(range(0, 2, 4), CHUNK, 0, CHUNK, 0).close();
    assertThat(small.stats().ranges()).isEqualTo(1);
  }

  @Test
  void aValueOfManyChunksNeedsRoomForEachOfThem() {
    RangeBudget budget = new RangeBudget(RangeBudget.bytesOf(1) + 3);
    RangeTable small = new RangeTable(CAPACITY, budget);
    assertFails(
        ErrorCode.NO_SPACE, () -> small.beginWrite(range(0, 2, 1), CHUNK, 0, CHUNK, 0).close());
    assertThat(budget.usedBytes()).isZero();
    assertThat(small.stats().ranges()).isZero();
  }

  @Test
  void tablesOfOneRuntimeShareTheHeapAndGiveItBack() {
    RangeBudget budget = new RangeBudget(RangeBudget.bytesOf(1));
    RangeTable first = new RangeTable(CAPACITY, budget);
    RangeTable second = new RangeTable(CAPACITY, budget);
    first.beginWrite(range(0, 1, 1), CHUNK, 0, CHUNK, 0).close();
    assertFails(
        ErrorCode.NO_SPACE, () -> second.beginWrite(range(0, 1, 2), CHUNK, 0, CHUNK, 0).close());
    first.forgetAll();
    second.beginWrite(range(0, 1, 2), CHUNK, 0, CHUNK, 0).close();
    second.close(() -> {});
    second.forgetAll();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void forgettingEndsAllTokensButWaitsForThoseStillThere() {
    TokenRange range = range(0, 2, 5);
    fill(range);
    RangeTable.ReadGuard reader = table.beginRead(range, 0, 1);
    table.forgetAll();
    assertFails(ErrorCode.STALE_TOKEN, () -> table.beginRead(range, 0, 1));
    assertFails(ErrorCode.WRITE_IN_PROGRESS, () -> write(range(0, 1, 6), 0));
    reader.close();
    assertThat(write(range(0, 1, 6), 0)).isTrue();
  }

  @Test
  void closingWaitsForTheLastGuard() {
    AtomicInteger freed = new AtomicInteger();
    fill(range(0, 1, 5));
    RangeTable.ReadGuard reader = table.beginRead(range(0, 1, 5), 0, 1);
    table.close(freed::incrementAndGet);
    assertThat(freed).hasValue(0);
    assertFails(ErrorCode.SEGMENT_NOT_FOUND, () -> table.beginRead(range(0, 1, 5), 0, 1));
    assertFails(ErrorCode.SEGMENT_NOT_FOUND, () -> write(range(0, 1, 6), 0));
    reader.close();
    reader.close();
    table.close(freed::incrementAndGet);
    assertThat(freed).hasValue(1);
  }

  private void fill(TokenRange range) {
    for (int chunk = 0; chunk < range.objectBytes() / CHUNK; chunk++) {
      write(range, chunk);
    }
  }

  private void readAll(TokenRange range) {
    table.beginRead(range, 0, range.objectBytes()).close();
  }

  /// Writes a chunk whose checksum is its number.
  private boolean write(TokenRange range, int chunk) {
    try (RangeTable.WriteGuard guard =
        table.beginWrite(range, CHUNK, (long) chunk * CHUNK, CHUNK, chunk)) {
      return guard.commit();
    }
  }

  private static TokenRange range(int firstChunk, int chunks, long token) {
    long length = (long) chunks * CHUNK;
    return new TokenRange((long) firstChunk * CHUNK, length, token, length);
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(FloeException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
