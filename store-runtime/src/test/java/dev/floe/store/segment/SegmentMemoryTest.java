package dev.floe.store.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.meta.model.SegmentId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentMemoryTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isZeroedAlignedAndWritable(boolean ofProcess) {
    MemorySource source = ofProcess ? MemorySource.ofProcess() : MemorySource.ofFileSystem(folder);
    try (SegmentMemory memory = SegmentMemory.allocate(100_000, source)) {
      ByteBuffer all = memory.slice(0, 100_000);
      assertThat(MemorySegment.ofBuffer(all).address() % SegmentMemory.ALIGNMENT_BYTES).isZero();
      while (all.hasRemaining()) {
        assertThat(all.get()).isZero();
      }
      memory.slice(99_999, 1).put((byte) 7);
      assertThat(memory.slice(99_990, 10).get(9)).isEqualTo((byte) 7);
    }
  }

  @Test
  void reachesBeyondFourGibibytes() {
    long size = 5 * GIB;
    try (SegmentMemory memory = SegmentMemory.allocate(size, MemorySource.ofFileSystem(folder))) {
      memory.slice(size - 8, 8).putLong(42);
      assertThat(memory.slice(size - 8, 8).getLong()).isEqualTo(42);
      assertThat(memory.slice(size - 8 - 4 * GIB, 8).getLong()).isZero();
    }
  }

  @Test
  void leavesNoFileBehind() throws IOException {
    try (SegmentMemory memory = SegmentMemory.allocate(4096, MemorySource.ofFileSystem(folder));
        Stream<Path> files = Files.list(folder)) {
      assertThat(memory.capacityBytes()).isEqualTo(4096);
      assertThat(files).isEmpty();
    }
  }

  @Test
  void namesWhatIsThereWhenAFileSystemIsTooSmall() {
    assertThatThrownBy(
            () ->
                SegmentMemory.allocate(Limits.SEGMENT_BYTES_MAX, MemorySource.ofFileSystem(folder)))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .hasMessageContaining(String.valueOf(Limits.SEGMENT_BYTES_MAX))
        .hasMessageContaining("has room for");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Limits.SEGMENT_BYTES_MAX + 1})
  void refusesAbsurdSizes(long size) {
    assertThatThrownBy(() -> SegmentMemory.allocate(size, MemorySource.ofProcess()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .hasMessageContaining(String.valueOf(size));
  }

  @Test
  void budgetNamesWhatWasAskedWhatThereIsAndWhatToDo() {
    MemoryBudget budget = new MemoryBudget(8 * GIB, GIB, 2 * GIB);
    assertThatCode(() -> budget.check(7 * GIB, false)).doesNotThrowAnyException();
    assertThatThrownBy(() -> budget.check(7 * GIB + 1, false))
        .hasMessageContaining(String.valueOf(7 * GIB + 1))
        .hasMessageContaining(String.valueOf(7 * GIB) + " are available")
        .hasMessageContaining("lower -Xmx");
    assertThatThrownBy(() -> budget.check(2 * GIB + 1, true))
        .hasMessageContaining("-XX:MaxDirectMemorySize allows " + 2 * GIB);
    assertThatCode(() -> budget.check(2 * GIB, true)).doesNotThrowAnyException();
  }

  @Test
  void budgetOfThisProcessIsRead() {
    MemoryBudget budget = MemoryBudget.ofThisProcess();
    assertThat(budget.physicalBytes()).isPositive();
    assertThat(budget.heapMaxBytes()).isPositive();
    assertThat(budget.directMaxBytes()).isPositive();
  }

  @Test
  void memoryOutlivesItsSegmentUntilTheLastReaderLeaves() {
    StoreSegment segment = new StoreSegment(SegmentMemory.allocate(4096, MemorySource.ofProcess()));
    TokenRange range = new TokenRange(0, 10, 1, 10);
    try (StoreSegment.WritableChunk chunk = segment.beginWrite(range, 4096, 0, 10, 5)) {
      chunk.buffer().put(3, (byte) 33);
      chunk.commit();
    }
    StoreSegment.ReadableBytes bytes = segment.beginRead(range, 3, 1);
    segment.close();
    assertThat(bytes.buffer().get(0)).isEqualTo((byte) 33);
    bytes.close();
    assertThatThrownBy(() -> bytes.buffer().get(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aWithdrawnNumberFindsNothing() {
    MemorySegmentStore store = new MemorySegmentStore();
    StoreSegment segment = new StoreSegment(SegmentMemory.allocate(4096, MemorySource.ofProcess()));
    store.publish(new SegmentId(1), segment);
    assertThat(store.find(new SegmentId(1))).isSameAs(segment);
    store.withdrawAll();
    store.publish(new SegmentId(2), segment);
    assertThatThrownBy(() -> store.find(new SegmentId(1)))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SEGMENT_NOT_FOUND))
        .hasMessageContaining("seg-1");
    assertThat(store.list()).hasSize(1);
    store.close();
    segment.close();
  }
}
