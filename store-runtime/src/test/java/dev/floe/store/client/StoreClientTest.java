package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.peer.CircuitBreaker;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.InMemoryTransport;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.wire.DataCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StoreClientTest {
  private static final int CHUNK = TestStores.CHUNK;
  private static final int SIZE = 3 * CHUNK + 7;

  @TempDir private Path folder;

  private final TestStores stores =
      new TestStores(new InMemoryTransport(Ticker.system()), 3, 256L * CHUNK);
  private final StoreClient client = stores.client;

  @AfterEach
  void nothingIsLeftBehind() {
    stores.close();
    stores.assertNothingIsHeld();
  }

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

  @SuppressWarnings("NullAway")
  private static String nullKey() {
    return null;
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

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NONE", "CORRUPT_REPLY", "SHORT_REPLY"},
      mode = EnumSource.Mode.EXCLUDE)
  void aReplicaThatCannotBeWrittenIsLeftOut(Fault fault) {
    Endpoint bad = stores.endpoints.get(1);
    stores.transport.plan =
        (to, call) -> to.equals(bad) && call.type() == FrameType.DATA_WRITE ? fault : Fault.NONE;
    byte[] value = TestStores.value(SIZE, 1);
    PutResult.Stored stored =
        (PutResult.Stored) client.put("k", ValueSource.of(value), PutOptions.replicas(3));
    // A lost answer is no lost replica: the chunks are there, and sending them again finds that
    // out.
    boolean mends = fault == Fault.LOST_AFTER;
    assertThat(stored.replicas()).isEqualTo(mends ? 3 : 2);
    assertThat(client.stats().snapshot().trouble().lostReplicas()).isEqualTo(mends ? 0 : 1);
    stores.transport.plan = (to, call) -> Fault.NONE;
    for (int i = 0; i < 4; i++) {
      assertThat(client.get("k")).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOST_BEFORE", "LOST_AFTER", "CORRUPT_REQUEST", "NO_SEGMENT"})
  void aPassingFaultOfAWriteIsMendedBySendingTheChunkAgain(Fault fault) {
    Map<Long, Integer> sent = new ConcurrentHashMap<>();
    stores.transport.plan =
        (to, call) -> {
          if (call.type() != FrameType.DATA_WRITE) {
            return Fault.NONE;
          }
          long from = DataCodec.decodeWrite(call.header()).from();
          return sent.merge(from, 1, Integer::sum) == 1 ? fault : Fault.NONE;
        };
    byte[] value = TestStores.value(SIZE, 1);
    put("k", 1, value);
    assertThat(client.get("k")).isEqualTo(value);
    assertThat(client.stats().snapshot().trouble().retries()).isGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NONE", "LOST_AFTER", "CORRUPT_REPLY", "SHORT_REPLY"},
      mode = EnumSource.Mode.EXCLUDE)
  void aPutThatNoReplicaTookIsRevokedAndItsKeyIsFreeAtOnce(Fault fault) {
    stores.transport.plan = (to, call) -> call.type() == FrameType.DATA_WRITE ? fault : Fault.NONE;
    failure(() -> put("k", 2, TestStores.value(SIZE, 1)));
    assertThat(client.stat("k")).isEmpty();
    assertThat(stores.metadata.usedBytes()).isZero();
    stores.transport.plan = (to, call) -> Fault.NONE;
    put("k", 2, TestStores.value(SIZE, 2));
    assertThat(client.get("k")).isEqualTo(TestStores.value(SIZE, 2));
  }

  @Test
  void aLateWriterOfARevokedPutCannotTouchTheNextObject() {
    AtomicInteger writes = new AtomicInteger();
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_WRITE && writes.getAndIncrement() == 2) {
            // The key is removed and its space given to another object in the middle of the put.
            stores.metadata.submit(
                new MetadataCommand.Remove(ObjectId.of("late"), true), TestStores.soon());
            put("next", 3, TestStores.value(SIZE, 2));
          }
          return Fault.NONE;
        };
    FloeException error = failure(() -> put("late", 3, TestStores.value(SIZE, 1)));
    assertThat(error.code()).isIn(ErrorCode.STALE_TOKEN, ErrorCode.NOT_FOUND);
    stores.transport.plan = (to, call) -> Fault.NONE;
    for (int i = 0; i < 6; i++) {
      assertThat(client.get("next")).isEqualTo(TestStores.value(SIZE, 2));
    }
  }

  @Test
  void anEndThatNobodyConfirmedIsFoundOut() {
    stores.metadata.afterSubmit = failOn(2, ErrorCode.UNKNOWN_OUTCOME);
    assertThat(client.put("k", new byte[] {1})).isInstanceOf(PutResult.Stored.class);
  }

  @Test
  void anEndThatDidNotHappenIsReportedAsUnknown() {
    stores.metadata.beforeSubmit = failOn(2, ErrorCode.UNKNOWN_OUTCOME);
    FloeException error = failure(() -> client.put("k", new byte[] {1}));
    assertThat(error.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
    assertThat(client.stat("k")).isEmpty();
    String version = error.context().get("version");
    assertThat(error).hasMessageContaining("'k'").hasMessageContaining("version " + version);
    assertThat(version).matches("\\d+\\.\\d+");
  }

  @Test
  void aPutWhoseEndReachedNoMasterIsRevokedAndItsKeyIsFreeAtOnce() {
    stores.metadata.beforeSubmit = failOn(2, ErrorCode.UNAVAILABLE);
    FloeException error = failure(() -> client.put("k", new byte[] {1}));
    assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(stores.metadata.usedBytes()).isZero();
    assertThat(client.put("k", new byte[] {2})).isInstanceOf(PutResult.Stored.class);
  }

  @Test
  void aDefectInTheLaneOfOneReplicaLeavesNoThreadOfAnotherWaiting() {
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_WRITE) {
            throw new IllegalStateException("planted");
          }
          return Fault.NONE;
        };
    FloeException error = failure(() -> put("k", 3, TestStores.value(SIZE, 1)));
    assertThat(error.code()).isEqualTo(ErrorCode.INTERNAL);
    client.close();
  }

  @Test
  void aBeginThatNobodyConfirmedStoresNothingAndSaysSo() {
    stores.metadata.afterSubmit = failOn(1, ErrorCode.UNKNOWN_OUTCOME);
    FloeException error = failure(() -> client.put("k", new byte[] {1}));
    assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(error).hasMessageContaining("nothing was stored");
    assertThat(client.exist("k")).isFalse();
  }

  /// Fails the n-th submit and those behind it once.
  private static Runnable failOn(int n, ErrorCode code) {
    AtomicInteger calls = new AtomicInteger();
    return () -> {
      if (calls.incrementAndGet() == n) {
        throw new FloeException(code, "injected");
      }
    };
  }

  @Test
  void aLongReadRenewsItsLease() {
    byte[] value = TestStores.value(20 * CHUNK, 1);
    put("k", 2, value);
    AtomicInteger lookUps = new AtomicInteger();
    stores.metadata.beforeResolve = lookUps::incrementAndGet;
    stores.metadata.leaseMillis = 1;
    // The channel takes its time, so that the lease of a millisecond is always due.
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    client.get("k", ValueSink.of(slowChannel(target)), GetOptions.DEFAULT);
    assertThat(target.toByteArray()).isEqualTo(value);
    assertThat(lookUps.get()).isGreaterThan(10);
  }

  @Test
  void aLongReadGoesOnWhenNoMasterRenewsItsLease() {
    byte[] value = TestStores.value(20 * CHUNK, 1);
    put("k", 2, value);
    stores.metadata.beforeResolve = failFrom(2, ErrorCode.UNAVAILABLE);
    stores.metadata.leaseMillis = 1;
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    client.get("k", ValueSink.of(slowChannel(target)), GetOptions.DEFAULT);
    assertThat(target.toByteArray()).isEqualTo(value);
  }

  @Test
  void aLongReadThatFindsItsObjectReplacedIsNoSuccess() {
    put("k", 2, TestStores.value(20 * CHUNK, 1));
    stores.metadata.leaseMillis = 1;
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    stores.metadata.found =
        found ->
            target.size() == 0
                ? found
                : new MetadataApi.Resolution.Found(
                    new RouteVersion(999, 0),
                    found.sizeBytes(),
                    found.checksum(),
                    found.replicas(),
                    1);
    FloeException error =
        failure(() -> client.get("k", ValueSink.of(slowChannel(target)), GetOptions.DEFAULT));
    assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(error).hasMessageContaining("was replaced");
  }

  private static Runnable failFrom(int n, ErrorCode code) {
    AtomicInteger calls = new AtomicInteger();
    return () -> {
      if (calls.incrementAndGet() >= n) {
        throw new FloeException(code, "injected");
      }
    };
  }

  private static WritableByteChannel slowChannel(ByteArrayOutputStream target) {
    WritableByteChannel inner = Channels.newChannel(target);
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer bytes) throws IOException {
        long until = System.nanoTime() + 2_000_000;
        while (System.nanoTime() < until) {
          Thread.onSpinWait();
        }
        return inner.write(bytes);
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
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
  void aDestinationThatFailsIsNotBlamedOnTheReplicas() {
    put("k", 2, TestStores.value(SIZE, 1));
    WritableByteChannel full =
        new WritableByteChannel() {
          @Override
          public int write(ByteBuffer bytes) throws IOException {
            throw new IOException("no space left");
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    FloeException error = failure(() -> client.get("k", ValueSink.of(full), GetOptions.DEFAULT));
    assertThat(error.code()).isEqualTo(ErrorCode.IO_ERROR);
    assertThat(error).hasMessageContaining("no space left");
    assertThat(client.stats().snapshot().trouble().failovers()).isZero();
  }

  @Test
  void aDeadStoreCostsNoTimeOnceItsCircuitIsOpen() {
    CircuitBreaker.Settings quick =
        new CircuitBreaker.Settings(1, Duration.ofDays(1), Duration.ofDays(1));
    try (TestStores two =
        new TestStores(new InMemoryTransport(Ticker.system()), 2, 256L * CHUNK, quick)) {
      byte[] value = TestStores.value(SIZE, 1);
      two.client.put("k", ValueSource.of(value), PutOptions.replicas(2));
      two.stop(0);
      AtomicInteger requests = new AtomicInteger();
      for (int i = 0; i < 10; i++) {
        assertThat(two.client.get("k")).isEqualTo(value);
      }
      two.transport.plan =
          (to, call) -> {
            requests.addAndGet(to.equals(two.endpoints.getFirst()) ? 1 : 0);
            return Fault.NONE;
          };
      for (int i = 0; i < 10; i++) {
        assertThat(two.client.get("k")).isEqualTo(value);
      }
      assertThat(requests).as("requests to the dead store").hasValue(0);
    }
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
  void manyThreadsShareOneClient() {
    List<Integer> workers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      workers.add(i);
    }
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker : workers) {
        Future<?> _ =
            executor.submit(
                () -> {
                  for (int round = 0; round < 10; round++) {
                    String key = "w" + worker + "/" + round;
                    int size = (worker * 977 + round * 1733) % (3 * CHUNK);
                    byte[] value = TestStores.value(size, key.hashCode());
                    put(key, 2, value);
                    if (!Arrays.equals(client.get(key), value)) {
                      wrong.add(key);
                    }
                    client.remove(key, true);
                  }
                  return worker;
                });
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(client.stats().snapshot().work().gets()).isEqualTo(160);
  }

  @Test
  void manyReadersWithFewBuffersDoNotWaitForEachOther() throws Exception {
    byte[] value = TestStores.value(20 * CHUNK, 1);
    put("k", 1, value);
    GetOptions soon = GetOptions.DEFAULT.withTimeout(Duration.ofSeconds(20));
    List<Future<byte[]>> all = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 40; i++) {
        all.add(
            executor.submit(
                () -> {
                  byte[] target = new byte[value.length];
                  client.get("k", ValueSink.of(target), soon);
                  return target;
                }));
      }
    }
    for (Future<byte[]> one : all) {
      assertThat(one.get()).isEqualTo(value);
    }
    assertThat(client.stats().snapshot().trouble().failovers()).isZero();
  }

  @Test
  void statsCountValuesAndBytes() {
    put("k", 3, new byte[SIZE]);
    client.get("k");
    assertThat(client.stats().snapshot().work()).isEqualTo(new ClientStats.Work(1, SIZE, 1, SIZE));
  }

  private void put(String key, int replicas, byte[] value) {
    assertThat(client.put(key, ValueSource.of(value), PutOptions.replicas(replicas)))
        .isInstanceOf(PutResult.Stored.class);
  }

  private void put(String key, ValueSource source) {
    PutResult.Present result = client.put(key, source, PutOptions.replicas(3));
    assertThat(result).isInstanceOf(PutResult.Stored.class);
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

  private static FloeException failure(Runnable call) {
    try {
      call.run();
    } catch (FloeException e) {
      return e;
    }
    throw new AssertionError("a success was reported");
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
