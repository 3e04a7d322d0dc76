package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.buffer.Checksums;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.store.client.FaultyTransport.Fault;
import dev.floe.store.segment.TokenRange;
import dev.floe.store.wire.DataCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bytes of several replicas that together are not the object.
@Timeout(60)
class MixedReplicasTest extends StoreClientFixture {
  private final byte[] value = TestStores.value(SIZE, 1);

  /// Writes two replicas by hand: the first store's has a wrong first chunk, of which the store
  /// believes that it is right.
  private void putWithAWrongFirstChunkAtTheFirstStore() {
    var placement = PutOptions.replicas(2).placement();
    var started =
        (MetadataReply.PutStarted)
            submit(new MetadataCommand.PutStart(ObjectId.of("k"), SIZE, placement));
    for (ReplicaTarget target : started.targets()) {
      byte[] bytes = value.clone();
      if (target.endpoint().equals(stores.endpoints.getFirst())) {
        bytes[17] ^= 1;
      }
      write(target, bytes);
    }
    List<Long> tokens = started.targets().stream().map(target -> target.replica().id()).toList();
    long checksum = Integer.toUnsignedLong(Checksums.crc32c(ByteBuffer.wrap(value)));
    assertThat(submit(new MetadataCommand.PutEnd(ObjectId.of("k"), tokens, checksum)))
        .isEqualTo(MetadataReply.Done.INSTANCE);
  }

  private MetadataReply submit(MetadataCommand.Client command) {
    return stores.metadata.submit(List.of(command), TestStores.soon()).getFirst();
  }

  private void write(ReplicaTarget target, byte[] bytes) {
    MemoryRange range = (MemoryRange) target.replica().location();
    TokenRange tokens =
        new TokenRange(range.offsetBytes(), range.lengthBytes(), target.replica().id(), SIZE);
    var segment = stores.segments.get(stores.endpoints.indexOf(target.endpoint()));
    for (int from = 0; from < SIZE; from += CHUNK) {
      byte[] chunk = Arrays.copyOfRange(bytes, from, Math.min(SIZE, from + CHUNK));
      int sum = Checksums.crc32c(ByteBuffer.wrap(chunk));
      try (var place = segment.beginWrite(tokens, CHUNK, from, chunk.length, sum)) {
        place.buffer().put(chunk);
        place.commit();
      }
    }
  }

  @Test
  void aReplicaThatOnlyWentOnWithAWrongOnesBytesIsReadAlone() {
    putWithAWrongFirstChunkAtTheFirstStore();
    Endpoint wrong = stores.endpoints.getFirst();
    AtomicInteger ofWrong = new AtomicInteger();
    AtomicInteger ofRight = new AtomicInteger();
    // The wrong one gives its first chunk and nothing more; the other fails once, so that it goes
    // on
    // only after the second look-up.
    stores.transport.plan =
        (to, call) -> {
          if (call.type() != FrameType.DATA_READ) {
            return Fault.NONE;
          }
          if (to.equals(wrong)) {
            boolean isFirst = DataCodec.decodeRead(call.header()).from() == 0;
            return isFirst && ofWrong.getAndIncrement() == 0 ? Fault.NONE : Fault.INTERNAL;
          }
          return ofRight.getAndIncrement() == 0 ? Fault.UNREACHABLE : Fault.NONE;
        };
    assertThat(client.get("k")).isEqualTo(value);
    assertThat(client.stats().snapshot().trouble().checksumMismatches()).isEqualTo(1);
  }

  @Test
  void aReplicaWhoseOwnBytesAreWrongIsNotReadAgain() {
    putWithAWrongFirstChunkAtTheFirstStore();
    AtomicInteger ofWrong = new AtomicInteger();
    stores.transport.plan =
        (to, call) -> {
          if (call.type() == FrameType.DATA_READ
              && to.equals(stores.endpoints.getFirst())
              && DataCodec.decodeRead(call.header()).from() == 0) {
            ofWrong.incrementAndGet();
          }
          return Fault.NONE;
        };
    for (int i = 1; i <= 10; i++) {
      assertThat(client.get("k")).isEqualTo(value);
      assertThat(ofWrong).hasValueLessThanOrEqualTo(i);
    }
    assertThat(ofWrong).hasPositiveValue();
  }
}
