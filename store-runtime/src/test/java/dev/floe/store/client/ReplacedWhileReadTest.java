package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/// An object that is removed and put anew in the middle of a read is read in its new version.
@Timeout(60)
class ReplacedWhileReadTest {
  private static final int CHUNK = TestStores.CHUNK;
  private static final int SIZE = 20 * CHUNK + 7;

  @TempDir private Path folder;

  private final TestStores stores =
      new TestStores(new InMemoryTransport(Ticker.system()), 2, 256L * CHUNK);
  private final StoreClient client = stores.client;

  @AfterEach
  void nothingIsLeftBehind() {
    stores.close();
    stores.assertNothingIsHeld();
  }

  private void put(byte[] value) {
    client.put("k", ValueSource.of(value), PutOptions.replicas(2));
  }

  /// Puts a first value, and replaces it when the read has asked for its eleventh chunk.
  private void replaceInTheMiddle(byte[] replacement) {
    put(TestStores.value(SIZE, 1));
    AtomicInteger reads = new AtomicInteger();
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_READ && reads.incrementAndGet() == 11) {
            client.remove("k", true);
            put(replacement);
          }
          return Fault.NONE;
        };
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.ValueSource(ints = {0, 1, 5 * CHUNK, SIZE, 30 * CHUNK + 1})
  void everyDestinationGetsTheNewVersionAndNothingOfTheOld(int size) {
    byte[] fresh = TestStores.value(size, 2);

    replaceInTheMiddle(fresh);
    assertThat(client.get("k")).isEqualTo(fresh);

    client.remove("k", true);
    replaceInTheMiddle(fresh);
    Path file = folder.resolve("copy");
    client.get("k", ValueSink.ofFile(file), GetOptions.DEFAULT);
    assertThat(file).hasBinaryContent(fresh);

    client.remove("k", true);
    replaceInTheMiddle(fresh);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment target = arena.allocate(40L * CHUNK);
      GetResult.Loaded loaded = client.get("k", ValueSink.of(target), GetOptions.DEFAULT);
      assertThat(loaded.receivedBytes()).isEqualTo(size);
      assertThat(target.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(fresh);
    }
  }

  @Test
  void aRangeIsReadFromTheNewVersionOrRefused() {
    byte[] fresh = TestStores.value(30 * CHUNK, 2);
    replaceInTheMiddle(fresh);
    byte[] target = new byte[15 * CHUNK];
    client.getRange("k", 3, target.length, ValueSink.of(target), GetOptions.DEFAULT);
    assertThat(target).isEqualTo(Arrays.copyOfRange(fresh, 3, 3 + target.length));

    client.remove("k", true);
    replaceInTheMiddle(TestStores.value(CHUNK, 3));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        () -> client.getRange("k", 3, target.length, ValueSink.of(target), GetOptions.DEFAULT));
  }

  @Test
  void aChannelThatHasGotAPartIsNotGivenTheRestOfAnother() {
    replaceInTheMiddle(TestStores.value(SIZE, 2));
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    assertFails(
        ErrorCode.UNAVAILABLE,
        () -> client.get("k", ValueSink.of(Channels.newChannel(target)), GetOptions.DEFAULT));
    byte[] first = TestStores.value(SIZE, 1);
    assertThat(target.toByteArray()).isEqualTo(Arrays.copyOf(first, target.size()));
  }

  @Test
  void anObjectThatIsOnlyRemovedIsNotFound() {
    put(TestStores.value(SIZE, 1));
    AtomicInteger reads = new AtomicInteger();
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_READ && reads.incrementAndGet() == 11) {
            client.remove("k", true);
            client.put("other", ValueSource.of(new byte[SIZE]), PutOptions.replicas(2));
          }
          return Fault.NONE;
        };
    assertFails(ErrorCode.NOT_FOUND, () -> client.get("k"));
  }

  @Test
  void anObjectThatIsReplacedForEverEndsTheRead() {
    put(TestStores.value(SIZE, 1));
    AtomicInteger reads = new AtomicInteger();
    AtomicInteger versions = new AtomicInteger();
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_READ && reads.incrementAndGet() % 11 == 10) {
            client.remove("k", true);
            put(TestStores.value(SIZE, versions.incrementAndGet()));
          }
          return Fault.NONE;
        };
    assertFails(ErrorCode.UNAVAILABLE, () -> client.get("k"));
    assertThat(versions).hasValueGreaterThan(3);
  }

  private static void assertFails(ErrorCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
