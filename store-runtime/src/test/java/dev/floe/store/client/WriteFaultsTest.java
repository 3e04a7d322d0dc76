package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.wire.DataCodec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Writes that meet faults of stores, connections and masters.
class WriteFaultsTest extends StoreClientFixture {
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
}
