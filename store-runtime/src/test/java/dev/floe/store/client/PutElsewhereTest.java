package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectId;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.client.value.ValueSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A value that no replica took is put on other runtimes.
@Timeout(60)
class PutElsewhereTest {
  private static final int CHUNK = TestStores.CHUNK;
  private static final int SIZE = 3 * CHUNK + 7;

  private final TestStores stores =
      new TestStores(new InMemoryTransport(Ticker.system()), 3, 256L * CHUNK);
  private final StoreClient client = stores.client;
  private final Set<Endpoint> asked = ConcurrentHashMap.newKeySet();

  @AfterEach
  void nothingIsLeftBehind() {
    stores.close();
    stores.assertNothingIsHeld();
  }

  /// Writes to the given runtimes meet a fault.
  private void failWrites(Fault fault, List<Endpoint> bad) {
    stores.transport.plan =
        (to, call) -> {
          if (call.type() != FrameType.DATA_WRITE) {
            return Fault.NONE;
          }
          asked.add(to);
          return bad.contains(to) ? fault : Fault.NONE;
        };
  }

  private List<Endpoint> holders(String key) {
    return client.stat(key).orElseThrow().replicas().stream().map(ReplicaTarget::endpoint).toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"UNREACHABLE", "LOST_BEFORE", "LATE", "CORRUPT_REQUEST", "NO_SEGMENT", "INTERNAL"})
  void aFailedRuntimeIsLeftForAnother(Fault fault) {
    Endpoint bad = stores.endpoints.getFirst();
    failWrites(fault, List.of(bad));
    byte[] value = TestStores.value(SIZE, 1);
    assertThat(client.put("k", ValueSource.of(value), PutOptions.replicas(1)))
        .isInstanceOf(PutResult.Stored.class);
    assertThat(asked).contains(bad);
    assertThat(holders("k")).hasSize(1).doesNotContain(bad);
    assertThat(client.get("k")).isEqualTo(value);
    assertThat(stores.metadata.usedBytes()).as("the first attempt's space is free").isEqualTo(SIZE);
    assertThat(client.stats().snapshot().work().puts()).isEqualTo(1);
  }

  @Test
  void aValueOfOneChunkIsLeftForAnotherToo() {
    failWrites(Fault.UNREACHABLE, stores.endpoints.subList(0, 1));
    assertThat(client.put("k", new byte[] {7})).isInstanceOf(PutResult.Stored.class);
    assertThat(client.get("k")).containsExactly(7);
  }

  @Test
  void everyRuntimeThatFailedIsLeftOut() {
    failWrites(Fault.UNREACHABLE, stores.endpoints.subList(0, 2));
    byte[] value = TestStores.value(SIZE, 1);
    client.put("k", ValueSource.of(value), PutOptions.replicas(2));
    assertThat(holders("k")).containsExactly(stores.endpoints.get(2));
    assertThat(client.get("k")).isEqualTo(value);
  }

  @Test
  void oneCopyIsEnoughAndIsKept() {
    failWrites(Fault.UNREACHABLE, stores.endpoints.subList(0, 1));
    PutResult.Present stored =
        client.put("k", ValueSource.of(TestStores.value(SIZE, 1)), PutOptions.replicas(2));
    assertThat(((PutResult.Stored) stored).replicas()).isEqualTo(1);
    assertThat(asked).hasSize(2);
  }

  @Test
  void whenAllFailTheFirstReasonIsToldAndNothingIsLeft() {
    failWrites(Fault.UNREACHABLE, stores.endpoints);
    Endpoint first = stores.endpoints.getFirst();
    assertThatThrownBy(() -> client.put("k", new byte[SIZE]))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining(first.toString());
    assertThat(asked).containsExactlyInAnyOrderElementsOf(stores.endpoints);
    assertThat(stores.metadata.usedBytes()).isZero();
    assertThat(client.stat("k")).isEmpty();
  }

  @Test
  void aSupersededWriteIsNotBegunAgain() {
    failWrites(Fault.STALE, stores.endpoints);
    assertThatThrownBy(() -> client.put("k", new byte[SIZE]))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_TOKEN));
    assertThat(asked).hasSize(1);
  }

  @Test
  void aSourceThatFailsIsAskedOnce() {
    AtomicInteger reads = new AtomicInteger();
    ValueSource broken =
        new ValueSource() {
          @Override
          public long sizeBytes() {
            return 1;
          }

          @Override
          public java.nio.ByteBuffer view(long from, int length) {
            reads.incrementAndGet();
            throw new FloeException(ErrorCode.IO_ERROR, "the disk is gone");
          }

          @Override
          public void read(long from, java.nio.ByteBuffer into) {
            throw new IllegalStateException("view has failed");
          }
        };
    assertThatThrownBy(() -> client.put("k", broken, PutOptions.DEFAULT))
        .hasMessageContaining("the disk is gone");
    assertThat(reads).hasValue(1);
  }

  @Test
  void eachValueOfABatchGoesItsOwnWay() {
    failWrites(Fault.UNREACHABLE, stores.endpoints.subList(0, 1));
    List<PutItem> items =
        List.of(
            new PutItem("a", ValueSource.of(TestStores.value(SIZE, 1))),
            new PutItem("b", ValueSource.of(TestStores.value(SIZE, 2))));
    assertThat(client.batchPut(items, PutOptions.DEFAULT))
        .allMatch(result -> result instanceof PutResult.Stored);
    assertThat(client.get("a")).isEqualTo(TestStores.value(SIZE, 1));
    assertThat(client.get("b")).isEqualTo(TestStores.value(SIZE, 2));
  }

  @Test
  void oneValueWhoseKeyAnotherTookKeepsNoOtherOfTheBatchBack() {
    failWrites(Fault.UNREACHABLE, stores.endpoints.subList(0, 1));
    AtomicInteger submits = new AtomicInteger();
    stores.metadata.beforeSubmit =
        () -> {
          if (submits.incrementAndGet() == 2) {
            // Before the revoke of both: another client removes "b" by force and begins it anew.
            stores.metadata.submit(
                new MetadataCommand.Remove(ObjectId.of("b"), true), TestStores.soon());
            stores.metadata.submit(
                new MetadataCommand.PutStart(ObjectId.of("b"), 1, PutOptions.DEFAULT.placement()),
                TestStores.soon());
          }
        };
    List<PutResult> results =
        client.batchPut(
            List.of(
                new PutItem("b", ValueSource.of(TestStores.value(SIZE, 2))),
                new PutItem("a", ValueSource.of(TestStores.value(SIZE, 1)))),
            PutOptions.DEFAULT);
    assertThat(results.getFirst()).isInstanceOf(PutResult.Failed.class);
    assertThat(results.getLast()).isInstanceOf(PutResult.Stored.class);
    assertThat(client.get("a")).isEqualTo(TestStores.value(SIZE, 1));
  }

  @Test
  void aRevokeThatIsInDoubtIsRepeatedBeforeTheWriteIsBegunAgain() {
    failWrites(Fault.UNREACHABLE, stores.endpoints.subList(0, 1));
    AtomicInteger submits = new AtomicInteger();
    stores.metadata.beforeSubmit =
        () -> {
          if (submits.incrementAndGet() == 2) {
            throw new FloeException(ErrorCode.UNKNOWN_OUTCOME, "injected at the revoke");
          }
        };
    assertThat(client.put("k", new byte[SIZE])).isInstanceOf(PutResult.Stored.class);
    // Begin, revoke, revoke, begin, end.
    assertThat(submits).hasValue(5);
    assertThat(stores.metadata.usedBytes()).isEqualTo(SIZE);
  }
}
