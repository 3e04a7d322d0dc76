package dev.floe.nof.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every block device must do. Subclasses give a device of at least 1024 blocks.
abstract class BlockDeviceContractTest {
  private BlockDevice device;
  private int block;

  /// A new device that nobody else uses, all blocks never written.
  abstract BlockDevice newDevice() throws Exception;

  /// Closes `device` and gives the same medium again; unflushed writes may be lost or kept.
  abstract BlockDevice reopen(BlockDevice device) throws Exception;

  @BeforeEach
  void open() throws Exception {
    device = newDevice();
    block = device.geometry().blockBytes();
  }

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void readsWhatWasWrittenAtEveryKindOfOffset() {
    long last = device.geometry().blockCount() - 1;
    for (long index : new long[] {0, 1, 7, last / 2, last}) {
      device.write(index * block, pattern(index, 1));
    }
    for (long index : new long[] {0, 1, 7, last / 2, last}) {
      assertThat(read(index, 1)).isEqualTo(pattern(index, 1));
    }
  }

  @Test
  void writesOnlyTheNamedBlocks() {
    device.write(0, pattern(1, 5));
    device.write(2L * block, pattern(2, 1));
    ByteBuffer expected = pattern(1, 5);
    expected.put(2 * block, pattern(2, 1), 0, block);
    assertThat(read(0, 5)).isEqualTo(expected);
  }

  @Test
  void movesLargeTransfersWhole() {
    int blocks = Math.toIntExact(Math.min(device.geometry().blockCount() - 1, (4 << 20) / block));
    device.write(block, pattern(3, blocks));
    assertThat(read(1, blocks)).isEqualTo(pattern(3, blocks));
  }

  @Test
  void leavesThePositionAtTheLimitAndTheBytesOutsideAlone() {
    ByteBuffer buffer = aligned(4 * block);
    device.write(0, pattern(4, 1));
    buffer.position(block).limit(2 * block);
    device.read(0, buffer);
    assertThat(buffer.position()).isEqualTo(2 * block);
    assertThat(buffer.slice(block, block)).isEqualTo(pattern(4, 1));
    assertThat(buffer.clear().slice(0, block)).isEqualTo(aligned(block));
    assertThat(buffer.slice(2 * block, block)).isEqualTo(aligned(block));
  }

  @Test
  void keepsFlushedWritesOverReopening() throws Exception {
    device.write(3L * block, pattern(5, 2));
    device.flush();
    BlockGeometry before = device.geometry();
    device = reopen(device);
    assertThat(device.geometry()).isEqualTo(before);
    assertThat(read(3, 2)).isEqualTo(pattern(5, 2));
  }

  @Test
  void refusesUnalignedOffsetsNamingValueAndBlockSize() {
    assertRefused(() -> device.read(1, aligned(block)), "offset 1", "block size " + block);
    assertRefused(
        () -> device.write(block + 512L - 1, aligned(block)), "offset", "block size " + block);
  }

  @Test
  void refusesPartsOfBlocksNamingLengthAndBlockSize() {
    ByteBuffer part = aligned(block).limit(block - 1);
    assertRefused(() -> device.write(0, part), "length " + (block - 1), "block size " + block);
    assertRefused(() -> device.read(0, part), "length " + (block - 1), "block size " + block);
  }

  @Test
  void refusesBuffersThatAreNotAlignedInMemory() {
    ByteBuffer skewed = aligned(3 * block).position(8).limit(8 + block);
    assertRefused(() -> device.write(0, skewed), "8 bytes past", "block size " + block);
    assertRefused(() -> device.read(0, skewed), "8 bytes past", "block size " + block);
  }

  @Test
  void refusesHeapBuffers() {
    assertRefused(() -> device.read(0, ByteBuffer.allocate(block)), "heap buffer");
    assertRefused(() -> device.write(0, ByteBuffer.allocate(block)), "heap buffer");
  }

  @Test
  void refusesRangesOutsideTheDevice() {
    long capacity = device.geometry().capacityBytes();
    assertRefused(() -> device.read(capacity, aligned(block)), "outside", "" + capacity);
    assertRefused(() -> device.write(capacity - block, aligned(2 * block)), "outside");
    assertRefused(() -> device.read(-block, aligned(block)), "outside");
    assertRefused(() -> device.read(Long.MAX_VALUE - block + 1, aligned(block)), "outside");
  }

  @Test
  void takesAnEmptyBufferAsNothingToDo() {
    device.write(0, pattern(6, 1));
    device.write(0, aligned(0));
    device.read(device.geometry().capacityBytes(), aligned(0));
    assertThat(read(0, 1)).isEqualTo(pattern(6, 1));
  }

  @Test
  void servesManyThreadsOnDisjointBlocks() throws Exception {
    int threads = 8;
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        all.add(
            executor.submit(
                () -> {
                  for (int round = 0; round < 20; round++) {
                    long index = (long) thread * 20 + round;
                    device.write(index * block, pattern(index + 1, 1));
                    if (round % 7 == 0) {
                      device.flush();
                    }
                    assertThat(read(index, 1)).isEqualTo(pattern(index + 1, 1));
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    for (long index = 0; index < threads * 20L; index++) {
      assertThat(read(index, 1)).isEqualTo(pattern(index + 1, 1));
    }
  }

  @Test
  void survivesInterruptsAndKeepsTheInterruptStatus() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      executor
          .submit(
              () -> {
                Thread.currentThread().interrupt();
                device.write(0, pattern(7, 1));
                device.flush();
                assertThat(read(0, 1)).isEqualTo(pattern(7, 1));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
              })
          .get();
    }
    assertThat(read(0, 1)).isEqualTo(pattern(7, 1));
  }

  @Test
  void losesNothingWhenInterruptsRainOnItsThreads() throws Exception {
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      AtomicReference<Thread> worker = new AtomicReference<>();
      AtomicInteger steps = new AtomicInteger();
      Future<?> work =
          executor.submit(
              () -> {
                worker.set(Thread.currentThread());
                for (long index = 0; index < 300; index++) {
                  device.write(index * block, pattern(index, 1));
                  steps.incrementAndGet();
                  assertThat(read(index, 1)).isEqualTo(pattern(index, 1));
                  steps.incrementAndGet();
                }
                worker.set(null);
              });
      int seen = 0;
      while (!work.isDone()) {
        Thread thread = worker.get();
        int step = steps.get();
        if (thread != null && step != seen) {
          seen = step;
          thread.interrupt();
        }
        Thread.onSpinWait();
      }
      work.get();
    }
    for (long index = 0; index < 300; index++) {
      assertThat(read(index, 1)).isEqualTo(pattern(index, 1));
    }
  }

  @Test
  void answersUnavailableOnceClosedAndClosesTwice() {
    device.close();
    device.close();
    assertCode(() -> device.read(0, aligned(block)), ErrorCode.UNAVAILABLE);
    assertCode(() -> device.write(0, aligned(block)), ErrorCode.UNAVAILABLE);
    assertCode(device::flush, ErrorCode.UNAVAILABLE);
  }

  private ByteBuffer read(long index, int blocks) {
    ByteBuffer target = aligned(blocks * block);
    device.read(index * block, target);
    return target.flip();
  }

  /// Random bytes of `blocks` blocks, the same for the same seed.
  final ByteBuffer pattern(long seed, int blocks) {
    byte[] bytes = new byte[blocks * block];
    new Random(seed * 31 + 1).nextBytes(bytes);
    return aligned(bytes.length).put(bytes).flip();
  }

  static ByteBuffer aligned(int bytes) {
    ByteBuffer raw = ByteBuffer.allocateDirect(bytes + 65536);
    int skip = -raw.alignmentOffset(0, 65536) & 65535;
    return raw.slice(skip, bytes);
  }

  private static void assertRefused(Runnable call, String... parts) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContainingAll(parts);
  }

  static void assertCode(Runnable call, ErrorCode code) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(FloeException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
