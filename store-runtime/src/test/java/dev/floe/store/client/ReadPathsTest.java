package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.model.ObjectId;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.wire.DataCodec;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// For every way to read: a success means exactly the object's bytes, whatever went wrong on the
/// way, and what went wrong is never a success.
class ReadPathsTest {
  private static final int SIZE = 3 * TestStores.CHUNK + 7;
  private static final int REQUESTS = 4;
  private static final int[] PLACES = {0, 2, 3};

  @TempDir private Path folder;

  private final TestStores stores =
      new TestStores(new InMemoryTransport(Ticker.system()), 2, 64L * TestStores.CHUNK);

  @AfterEach
  void nothingIsLeftBehind() {
    stores.close();
    stores.assertNothingIsHeld();
  }

  @Test
  void everyPublicWayToReadHasARow() {
    Set<String> ways = new TreeSet<>();
    for (Method method : StoreClient.class.getMethods()) {
      if (method.getName().startsWith("get") || method.getName().startsWith("batchGet")) {
        ways.add(signature(method));
      }
    }
    ways.remove("getClass()");
    for (Method method : ValueSink.class.getMethods()) {
      if (Modifier.isStatic(method.getModifiers())) {
        ways.add(signature(method));
      }
    }
    Set<String> rows =
        Arrays.stream(ReadApi.values())
            .flatMap(api -> api.covers().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(rows).isEqualTo(ways);
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }

  static Stream<Arguments> readsAndSizes() {
    List<Arguments> all = new ArrayList<>();
    for (ReadApi api : ReadApi.values()) {
      for (int size :
          new int[] {0, 1, TestStores.CHUNK - 1, TestStores.CHUNK, TestStores.CHUNK + 1, SIZE}) {
        all.add(Arguments.of(api, size));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("readsAndSizes")
  void returnsTheExactBytes(ReadApi api, int size) {
    byte[] value = put("k", size);
    assertThat(api.read(stores.client, "k", size, folder)).isEqualTo(value);
  }

  static Stream<Arguments> readsAndFaults() {
    List<Arguments> all = new ArrayList<>();
    for (ReadApi api : ReadApi.values()) {
      for (Fault fault : Fault.values()) {
        if (fault != Fault.NONE && fault != Fault.CORRUPT_REQUEST) {
          for (int at : PLACES) {
            all.add(Arguments.of(api, fault, at));
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("readsAndFaults")
  void goesOnWithTheOtherReplicaWhenOneRequestFails(ReadApi api, Fault fault, int at) {
    byte[] value = put("k", SIZE);
    AtomicInteger reads = new AtomicInteger();
    stores.transport.plan =
        (to, call) ->
            call.type() == FrameType.DATA_READ && reads.getAndIncrement() == at
                ? fault
                : Fault.NONE;
    assertThat(api.read(stores.client, "k", SIZE, folder)).isEqualTo(value);
    assertThat(stores.client.stats().snapshot().trouble().failovers()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("readsAndFaults")
  void isNoSuccessWhenARequestFailsAtEveryReplica(ReadApi api, Fault fault, int at)
      throws IOException {
    byte[] value = put("k", SIZE);
    long from = (long) at * TestStores.CHUNK;
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_READ) {
            long asked = DataCodec.decodeRead(call.header()).from();
            return asked / TestStores.CHUNK == from / TestStores.CHUNK ? fault : Fault.NONE;
          }
          return Fault.NONE;
        };
    FloeException error = failure(() -> api.read(stores.client, "k", SIZE, folder));
    assertThat(error.code())
        .isEqualTo(fault == Fault.CORRUPT_REPLY ? ErrorCode.CORRUPT : ErrorCode.UNAVAILABLE);
    assertThat(error).hasMessageContaining("'k'");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).as("what a failed get left").isEmpty();
    }
    stores.transport.plan = (to, call) -> Fault.NONE;
    assertThat(api.read(stores.client, "k", SIZE, folder)).isEqualTo(value);
  }

  @ParameterizedTest
  @EnumSource(ReadApi.class)
  void neverReturnsTheBytesOfAnotherObjectThatTookTheRangeInTheMiddle(ReadApi api) {
    for (int at = 0; at < REQUESTS; at++) {
      put("k" + at, SIZE);
      AtomicInteger reads = new AtomicInteger();
      int stop = at;
      stores.transport.plan =
          (to, call) -> {
            if (call.type() == FrameType.DATA_READ && reads.getAndIncrement() == stop) {
              stores.client.remove("k" + stop, true);
              put("other" + stop, SIZE);
            }
            return Fault.NONE;
          };
      String key = "k" + at;
      FloeException error = failure(() -> api.read(stores.client, key, SIZE, folder));
      assertThat(error.code()).isEqualTo(ErrorCode.NOT_FOUND);
      stores.transport.plan = (to, call) -> Fault.NONE;
      stores.client.remove("other" + at, true);
    }
    assertThat(stores.client.stats().snapshot().trouble().staleTokens()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(ReadApi.class)
  void neverReturnsTheBytesOfAnotherObjectForAnOldLocation(ReadApi api) {
    put("k", SIZE);
    var old =
        stores
            .metadata
            .resolve(
                ObjectId.of("k").tenant(),
                List.of(ObjectId.of("k").key()),
                MetadataApi.ReadOptions.PEEK,
                TestStores.soon())
            .getFirst();
    stores.client.remove("k", true);
    put("other", SIZE);
    put("k", SIZE);
    stores.metadata.found = ignored -> (MetadataApi.Resolution.Found) old;
    FloeException error = failure(() -> api.read(stores.client, "k", SIZE, folder));
    assertThat(error.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(error).hasMessageContaining("look the object up again");
  }

  @ParameterizedTest
  @EnumSource(
      value = ReadApi.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TWO_RANGES"})
  void isNoSuccessWhenTheWholeDoesNotMatchTheObjectsChecksum(ReadApi api) throws IOException {
    put("k", SIZE);
    stores.metadata.found =
        found ->
            new MetadataApi.Resolution.Found(
                found.version(),
                found.sizeBytes(),
                found.checksum() ^ 1,
                found.replicas(),
                found.leaseMillis());
    FloeException error = failure(() -> api.read(stores.client, "k", SIZE, folder));
    assertThat(error.code()).isEqualTo(ErrorCode.CORRUPT);
    assertThat(stores.client.stats().snapshot().trouble().checksumMismatches()).isPositive();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(ReadApi.class)
  void reportsAMissingObject(ReadApi api) {
    FloeException error = failure(() -> api.read(stores.client, "nobody", 10, folder));
    assertThat(error.code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void aFailedGetLeavesTheOldFileAsItWas() throws IOException {
    Path target = Files.writeString(folder.resolve("value"), "before");
    put("k", SIZE);
    stores.transport.plan = (to, call) -> Fault.UNREACHABLE;
    failure(() -> ReadApi.INTO_FILE.read(stores.client, "k", SIZE, folder));
    assertThat(target).hasContent("before");
    stores.transport.plan = (to, call) -> Fault.NONE;
    ReadApi.INTO_FILE.read(stores.client, "k", SIZE, folder);
    assertThat(Files.size(target)).isEqualTo(SIZE);
  }

  private byte[] put(String key, int size) {
    byte[] value = TestStores.value(size, key.hashCode());
    assertThat(stores.client.put(key, ValueSource.of(value), PutOptions.replicas(2)))
        .isInstanceOf(PutResult.Stored.class);
    return value;
  }

  private static FloeException failure(Runnable call) {
    try {
      call.run();
    } catch (FloeException e) {
      return e;
    }
    throw new AssertionError("a success was reported");
  }
}
