package dev.floe.core.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BufferPoolTest {
  private static final int SMALL = 8192;
  private static final int LARGE = 65_536;
  private static final long MAX = 2 * LARGE;

  private final BufferPool pool = new BufferPool(MAX, List.of(SMALL, LARGE));

  @AfterEach
  void nothingLeaks() {
    assertThat(pool.outstandingBytes()).isZero();
    assertThat(pool.outstandingLeases()).isZero();
    pool.close();
    assertThat(pool.allocatedBytes()).isZero();
  }

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(30));
  }

  private static Deadline now() {
    return Deadline.after(Ticker.system(), Duration.ZERO);
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  @Test
  void lendsAlignedDirectBuffersOfTheSmallestClassThatFits() {
    for (int bytes : new int[] {0, 1, SMALL, SMALL + 1, LARGE}) {
      try (BufferLease lease = pool.acquire(bytes, soon())) {
        ByteBuffer buffer = lease.buffer();
        assertThat(buffer.isDirect()).isTrue();
        assertThat(buffer.remaining()).isEqualTo(bytes);
        assertThat(buffer.capacity()).isEqualTo(bytes <= SMALL ? SMALL : LARGE);
        assertThat(MemorySegment.ofBuffer(buffer.duplicate().clear()).address() % 4096).isZero();
        assertThat(pool.outstandingBytes()).isEqualTo(buffer.capacity());
      }
    }
    assertFails(ErrorCode.TOO_LARGE, () -> pool.acquire(LARGE + 1, soon()));
  }

  @Test
  void lendsTheSameMemoryAgain() {
    long first;
    try (BufferLease lease = pool.acquire(SMALL, soon())) {
      first = MemorySegment.ofBuffer(lease.buffer()).address();
    }
    try (BufferLease lease = pool.acquire(SMALL, soon())) {
      assertThat(MemorySegment.ofBuffer(lease.buffer()).address()).isEqualTo(first);
    }
    assertThat(pool.allocatedBytes()).isEqualTo(SMALL);
  }

  @Test
  void refusesWhenNothingComesFreeInTime() {
    try (BufferLease one = pool.acquire(LARGE, soon());
        BufferLease two = pool.acquire(LARGE, soon())) {
      assertThat(one.buffer()).isNotSameAs(two.buffer());
      assertFails(ErrorCode.OVERLOADED, () -> pool.acquire(1, now()));
    }
    pool.acquire(1, now()).close();
  }

  @Test
  void waitsForABufferThatIsGivenBack() throws Exception {
    BufferLease one = pool.acquire(LARGE, soon());
    BufferLease two = pool.acquire(LARGE, soon());
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> waiter = executor.submit(() -> pool.acquire(LARGE, soon()).close());
      two.close();
      waiter.get();
    }
    one.close();
  }

  @Test
  void freesIdleBuffersOfOneClassForAnother() {
    List<BufferLease> small = new ArrayList<>();
    for (int i = 0; i < MAX / SMALL; i++) {
      small.add(pool.acquire(SMALL, soon()));
    }
    small.forEach(BufferLease::close);
    assertThat(pool.allocatedBytes()).isEqualTo(MAX);
    try (BufferLease lease = pool.acquire(LARGE, soon())) {
      lease.buffer().put(0, (byte) 1);
      assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(MAX);
    }
  }

  @Test
  void toleratesASecondCloseAndDetectsUseAfterTheFirst() {
    BufferLease lease = pool.acquire(SMALL, soon());
    lease.close();
    lease.close();
    assertThat(pool.outstandingBytes()).isZero();
    assertThatThrownBy(lease::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("after its lease was closed");
    try (BufferLease a = pool.acquire(SMALL, soon());
        BufferLease b = pool.acquire(SMALL, soon())) {
      lease.close();
      assertThat(MemorySegment.ofBuffer(a.buffer()).address())
          .isNotEqualTo(MemorySegment.ofBuffer(b.buffer()).address());
    }
  }

  @Test
  void reportsAnInterruptedWaiterAsCancelled() throws Exception {
    BufferLease one = pool.acquire(LARGE, soon());
    BufferLease two = pool.acquire(LARGE, soon());
    AtomicReference<@Nullable FloeException> thrown = new AtomicReference<>();
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    pool.acquire(SMALL, soon()).close();
                  } catch (FloeException e) {
                    thrown.set(e);
                  }
                });
    waiter.interrupt();
    waiter.join();
    assertThat(thrown.get()).isNotNull().extracting(e -> e.code()).isEqualTo(ErrorCode.CANCELLED);
    one.close();
    two.close();
  }

  @Test
  void neverLendsAByteTwiceNorExceedsItsBound() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int worker = i;
        workers.add(executor.submit(() -> work(worker)));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    }
  }

  private void work(int worker) {
    Random random = new Random(worker);
    for (int i = 0; i < 500; i++) {
      try (BufferLease lease = pool.acquire(1 + random.nextInt(LARGE), soon())) {
        ByteBuffer buffer = lease.buffer();
        buffer.put(0, (byte) worker);
        buffer.put(buffer.limit() - 1, (byte) worker);
        LockSupport.parkNanos(1000);
        assertThat(buffer.get(buffer.limit() - 1)).isEqualTo((byte) worker);
        if (buffer.limit() > 1) {
          assertThat(buffer.get(0)).isEqualTo((byte) worker);
        }
        assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(MAX);
      }
    }
  }

  @Test
  void freesALentBufferOfAClosedPoolWhenItComesBack() {
    BufferLease lease = pool.acquire(SMALL, soon());
    pool.close();
    assertThat(pool.outstandingBytes()).isEqualTo(SMALL);
    ByteBuffer buffer = lease.buffer();
    buffer.put(0, (byte) 1);
    lease.close();
    assertThatThrownBy(() -> buffer.get(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> pool.acquire(1, soon())).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesClassesThatCannotWork() {
    assertFails(ErrorCode.INVALID_CONFIG, () -> new BufferPool(MAX, List.of(1000)));
    assertFails(ErrorCode.INVALID_CONFIG, () -> new BufferPool(MAX, List.of(4 * LARGE)));
    assertFails(ErrorCode.INVALID_CONFIG, () -> new BufferPool(MAX, List.of()));
  }
}
