package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a client does when nothing goes wrong, and what it refuses.
class StoreClientTest extends StoreClientFixture {
  @ParameterizedTest
  @org.junit.jupiter.params.provider.ValueSource(ints = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, SIZE})
  void storesFromEveryKindOfSource(int size) throws IOException {
    byte[] value = TestStores.value(size, 1);
    Path file = Files.write(folder.resolve("source"), value);
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined();
        FileChannel channel = FileChannel.open(file)) {
      put("array", ValueSource.of(value));
      put("heap", ValueSource.of(ByteBuffer.wrap(value)));
      ByteBuffer direct = ByteBuffer.allocateDirect(size + 3).position(3).put(value).position(3);
      put("direct", ValueSource.of(direct));
      MemorySegment heap = MemorySegment.ofArray(value);
      put("shared", ValueSource.of(shared.allocate(size + 1).asSlice(0, size).copyFrom(heap)));
      put("confined", ValueSource.of(confined.allocate(size + 1).asSlice(0, size).copyFrom(heap)));
      put("channel", ValueSource.of(channel, 0, size));
      client.putFile("file", file, PutOptions.replicas(3));
    }
    CRC32C crc = new CRC32C();
    crc.update(value);
    for (String key : List.of("array", "heap", "direct", "shared", "confined", "channel", "file")) {
      assertThat(client.get(key)).as(key).isEqualTo(value);
      ObjectStat stat = client.stat(key).orElseThrow();
      assertThat(stat.checksum()).isEqualTo(crc.getValue());
      assertThat(stat.replicas()).hasSize(3);
    }
  }

  @Test
  void leadingCountsUpToTheFirstKeyThatCannotBeRead() {
    client.put("a", new byte[1]);
    client.put("b", new byte[1]);
    assertThat(client.leading(List.of())).isZero();
    assertThat(client.leading(List.of("a", "b", "a"))).isEqualTo(3);
    assertThat(client.leading(List.of("a", "nope", "b"))).isEqualTo(1);
    List<String> chain = new ArrayList<>(Collections.nCopies(1300, "a"));
    chain.set(1200, "nope");
    assertThat(client.leading(chain)).isEqualTo(1200);
  }

  @Test
  void partsOfAFileAreStored() throws IOException {
    byte[] value = TestStores.value(SIZE, 1);
    Path file = Files.write(folder.resolve("source"), value);
    try (FileChannel channel = FileChannel.open(file)) {
      put("part", ValueSource.of(channel, 5, CHUNK));
    }
    assertThat(client.get("part")).isEqualTo(Arrays.copyOfRange(value, 5, 5 + CHUNK));
  }

  @Test
  void aFileThatBecameShorterIsAnErrorAndLeavesNothing() throws IOException {
    Path file = Files.write(folder.resolve("source"), TestStores.value(CHUNK, 1));
    try (FileChannel channel = FileChannel.open(file)) {
      PutResult.Failed failed =
          failed(
              client.batchPut(
                  List.of(new PutItem("k", ValueSource.of(channel, 0, 5L * CHUNK))),
                  PutOptions.replicas(2)));
      assertThat(failed.error().code()).isEqualTo(ErrorCode.IO_ERROR);
    }
    assertThat(client.exist("k")).isFalse();
    assertThat(stores.metadata.usedBytes()).isZero();
    put("k", ValueSource.of(new byte[1]));
  }

  @Test
  void rangesAreRead() {
    byte[] value = TestStores.value(SIZE, 1);
    put("k", ValueSource.of(value));
    for (int[] range :
        new int[][] {
          {0, 0}, {0, 1}, {1, CHUNK}, {CHUNK - 1, 2}, {CHUNK, CHUNK}, {5, SIZE - 5}, {SIZE, 0}
        }) {
      byte[] target = new byte[range[1]];
      client.getRange("k", range[0], range[1], ValueSink.of(target), GetOptions.DEFAULT);
      assertThat(target).isEqualTo(Arrays.copyOfRange(value, range[0], range[0] + range[1]));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1",
    "0, -1",
    "0, 12296",
    "12296, 0",
    "12295, 1",
    "9223372036854775807, 1",
    "1, 9223372036854775807",
    "-9223372036854775808, 0"
  })
  void rangesOutsideTheValueAreRefused(long offset, long length) {
    put("k", ValueSource.of(new byte[SIZE]));
    FloeException error =
        failure(
            () ->
                client.getRange(
                    "k", offset, length, ValueSink.of(new byte[10]), GetOptions.DEFAULT));
    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void anExistingKeyKeepsItsValueAndSaysSo() {
    put("k", ValueSource.of(new byte[] {1}));
    assertThat(client.put("k", new byte[] {2})).isInstanceOf(PutResult.AlreadyExists.class);
    assertThat(client.get("k")).containsExactly(1);
    assertThat(client.stats().snapshot().work().puts()).isEqualTo(1);
  }

  @Test
  void eachItemOfABatchFailsByItself() {
    put("old", ValueSource.of(new byte[1]));
    List<PutResult> results =
        client.batchPut(
            List.of(
                item("a", 10),
                item("", 10),
                item("a", 10),
                item("x".repeat(Limits.KEY_BYTES_MAX + 1), 10),
                item("half \ud800 pair", 10),
                item("old", 10),
                new PutItem("absurd", new SizedSource(-1)),
                new PutItem("huge", new SizedSource(Limits.OBJECT_BYTES_MAX + 1)),
                item("no room", 1000 * CHUNK),
                item("b/../a%2f\u0000\ud83d\ude00", SIZE)),
            PutOptions.DEFAULT);
    assertThat(results)
        .extracting(StoreClientTest::word)
        .containsExactly(
            "Stored",
            "INVALID_KEY",
            "DUPLICATE_IN_BATCH",
            "INVALID_KEY",
            "INVALID_KEY",
            "AlreadyExists",
            "INVALID_SIZE",
            "INVALID_SIZE",
            "NO_SPACE",
            "Stored");
    List<GetResult> read =
        client.batchGet(
            List.of(
                new GetItem("a", ValueSink.of(new byte[10])),
                new GetItem("", ValueSink.of(new byte[10])),
                new GetItem("nobody", ValueSink.of(new byte[10])),
                new GetItem("b/../a%2f\u0000\ud83d\ude00", ValueSink.of(new byte[10])),
                new GetItem("a", ValueSink.of(new byte[10]))),
            GetOptions.DEFAULT);
    assertThat(read)
        .extracting(StoreClientTest::word)
        .containsExactly("Loaded", "INVALID_KEY", "NOT_FOUND", "TOO_LARGE", "Loaded");
  }

  @Test
  void aNullKeyIsRefusedAndStandsForNoOther() {
    put("null", ValueSource.of(new byte[1]));
    for (Runnable call :
        List.<Runnable>of(
            () -> client.put(nullKey(), new byte[1]),
            () -> client.get(nullKey()),
            () -> client.stat(nullKey()),
            () -> client.remove(nullKey(), true),
            () -> client.exist(nullKey()))) {
      assertThat(failure(call).code()).isEqualTo(ErrorCode.INVALID_KEY);
    }
    assertThat(client.exist("null")).isTrue();
  }

  @Test
  void batchesLargerThanOneEntryAreStoredAndRead() {
    List<PutItem> items = new ArrayList<>();
    List<GetItem> reads = new ArrayList<>();
    List<byte[]> targets = new ArrayList<>();
    for (int i = 0; i < Limits.ENTRY_COMMANDS_MAX + 50; i++) {
      items.add(new PutItem("k" + i, ValueSource.of(TestStores.value(100, i))));
      targets.add(new byte[100]);
      reads.add(new GetItem("k" + i, ValueSink.of(targets.get(i))));
    }
    assertThat(client.batchPut(items, PutOptions.DEFAULT))
        .allMatch(result -> result instanceof PutResult.Stored);
    assertThat(client.batchGet(reads, GetOptions.DEFAULT))
        .allMatch(result -> result instanceof GetResult.Loaded);
    for (int i = 0; i < targets.size(); i++) {
      assertThat(targets.get(i)).isEqualTo(TestStores.value(100, i));
    }
    assertThat(client.batchPut(List.of(), PutOptions.DEFAULT)).isEmpty();
    assertThat(client.batchGet(List.of(), GetOptions.DEFAULT)).isEmpty();
  }

  @Test
  void anExpiredDeadlineIsNoSuccess() {
    put("k", 1, TestStores.value(SIZE, 1));
    GetOptions at0 = GetOptions.DEFAULT.withTimeout(Duration.ZERO);
    assertThat(failure(() -> client.get("k", ValueSink.of(new byte[SIZE]), at0)).code())
        .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    failure(
        () ->
            client.put(
                "other",
                ValueSource.of(new byte[SIZE]),
                PutOptions.DEFAULT.withTimeout(Duration.ZERO)));
    assertThat(client.exist("other")).isFalse();
  }

  @Test
  void destinationsThatAreTooSmallOrCannotBeWrittenAreRefused() {
    put("k", 1, TestStores.value(SIZE, 1));
    assertThat(
            failure(() -> client.get("k", ValueSink.of(new byte[SIZE - 1]), GetOptions.DEFAULT))
                .code())
        .isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(
            failure(
                    () ->
                        client.get(
                            "k",
                            ValueSink.of(ByteBuffer.allocate(SIZE).asReadOnlyBuffer()),
                            GetOptions.DEFAULT))
                .code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure(() -> client.get("k", ValueSink.ofFile(folder), GetOptions.DEFAULT)).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void listsRemovesAndTellsWhatThereIs() {
    for (int i = 0; i < 8; i++) {
      put("a/" + i, 1, new byte[i]);
    }
    put("b", 1, new byte[1]);
    List<String> keys = new ArrayList<>();
    client.list("a/").forEachRemaining(entry -> keys.add(entry.key().value()));
    assertThat(keys).containsExactly("a/0", "a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7");
    assertThat(client.list("zzz").hasNext()).isFalse();
    assertThat(client.remove("a/3", false)).isTrue();
    assertThat(client.remove("a/3", false)).isFalse();
    assertThat(client.exist(List.of("a/2", "a/3", "b"))).containsExactly(true, false, true);
    assertThat(client.stat("a/3")).isEmpty();
    assertThat(client.stat("a/5").orElseThrow().sizeBytes()).isEqualTo(5);
  }

  @Test
  void statsCountValuesAndBytes() {
    put("k", 3, new byte[SIZE]);
    client.get("k");
    assertThat(client.stats().snapshot().work()).isEqualTo(new ClientStats.Work(1, SIZE, 1, SIZE));
  }

  @SuppressWarnings("NullAway")
  private static String nullKey() {
    return null;
  }

  private static PutItem item(String key, int size) {
    return new PutItem(key, ValueSource.of(new byte[size]));
  }

  private static PutResult.Failed failed(List<PutResult> results) {
    return (PutResult.Failed) results.getFirst();
  }

  private static String word(Object result) {
    return switch (result) {
      case PutResult.Failed failed -> failed.error().code().name();
      case GetResult.Failed failed -> failed.error().code().name();
      default -> result.getClass().getSimpleName();
    };
  }

  /// A source that only claims a size.
  private record SizedSource(long sizeBytes) implements ValueSource {
    @Override
    public @Nullable ByteBuffer view(long from, int length) {
      return null;
    }

    @Override
    public void read(long from, ByteBuffer into) {
      throw new AssertionError("it must not be asked");
    }
  }
}
