package dev.floe.store.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.buffer.Checksums;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.InMemoryTransport;
import dev.floe.meta.model.SegmentId;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.MemorySource;
import dev.floe.store.segment.SegmentMemory;
import dev.floe.store.segment.StoreSegment;
import dev.floe.store.segment.TokenRange;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataServiceTest {
  private static final int CHUNK = 4096;
  private static final long CAPACITY = 16L * CHUNK;
  private static final SegmentId SEGMENT = new SegmentId(7);
  private static final TokenRange RANGE = new TokenRange(CHUNK, 2 * CHUNK, 5, CHUNK + 10);

  private final MemorySegmentStore store = new MemorySegmentStore();
  private final StoreSegment segment =
      new StoreSegment(SegmentMemory.allocate(CAPACITY, MemorySource.ofProcess()));
  private final InMemoryTransport transport = new InMemoryTransport(Ticker.system());
  private final Transport.Listener listener =
      transport.listen(
          new Endpoint("store", 0),
          new Transport.Identity("c", "store/a"),
          new DataService(store).handlers());
  private final Connection connection =
      transport.connect(listener.endpoint(), new Transport.Identity("", "client"), soon());

  DataServiceTest() {
    store.publish(SEGMENT, segment);
  }

  @AfterEach
  void nothingIsLeftBehind() {
    connection.close();
    listener.close();
    assertThat(segment.stats().guards()).isZero();
    segment.close();
  }

  @Test
  void readsWhatWasWritten() {
    assertWritesAndReads();
  }

  private void assertWritesAndReads() {
    byte[] value = value(CHUNK + 10);
    assertThat(write(RANGE, CHUNK, slice(value, CHUNK, 10))).isFalse();
    assertThat(error(() -> read(RANGE, 0, 1))).isEqualTo(ErrorCode.NOT_READY);
    assertThat(write(RANGE, 0, slice(value, 0, CHUNK))).isTrue();
    assertThat(read(RANGE, 0, CHUNK + 10)).isEqualTo(value);
    assertThat(read(RANGE, CHUNK, 10)).isEqualTo(slice(value, CHUNK, 10));
    assertThat(read(RANGE, 3, 5)).isEqualTo(slice(value, 3, 5));
    assertThat(read(RANGE, CHUNK + 10, 0)).isEmpty();
  }

  @Test
  void anEmptyValueIsWrittenAndRead() {
    TokenRange range = new TokenRange(0, 1, 5, 0);
    assertThat(write(range, 0, new byte[0])).isTrue();
    assertThat(read(range, 0, 0)).isEmpty();
  }

  @Test
  void aChunkThatDoesNotMatchItsChecksumIsNotWritten() {
    byte[] value = value(CHUNK + 10);
    write(RANGE, 0, slice(value, 0, CHUNK));
    byte[] last = slice(value, CHUNK, 10);
    assertThat(error(() -> write(SEGMENT, RANGE, CHUNK, last, Checksums.crc32c(wrap(last)) ^ 1)))
        .isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
    assertThat(error(() -> read(RANGE, 0, 1))).isEqualTo(ErrorCode.NOT_READY);
    assertThat(write(RANGE, CHUNK, last)).isTrue();
    assertThat(read(RANGE, 0, CHUNK + 10)).isEqualTo(value);
  }

  @Test
  void damagedMemoryIsNoticedByTheReaderOfAWholeChunk() {
    SegmentMemory memory = SegmentMemory.allocate(CAPACITY, MemorySource.ofProcess());
    SegmentId damaged = new SegmentId(8);
    try (StoreSegment other = new StoreSegment(memory)) {
      store.publish(damaged, other);
      TokenRange range = new TokenRange(0, CHUNK, 5, CHUNK);
      byte[] value = value(CHUNK);
      write(damaged, range, 0, value, Checksums.crc32c(wrap(value)));
      assertThat(read(damaged, range, 0, CHUNK)).isEqualTo(value);
      memory.slice(100, 1).put((byte) ~value[100]);
      assertThatThrownBy(() -> read(damaged, range, 0, CHUNK))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("checksum of the answer");
    }
  }

  @Test
  void repeatingAChunkIsHarmlessAndItsBytesStay() {
    TokenRange range = new TokenRange(0, CHUNK, 5, CHUNK);
    byte[] value = value(CHUNK);
    write(range, 0, value);
    assertThat(error(() -> write(range, 0, value))).isEqualTo(ErrorCode.ALREADY_EXISTS);
    assertThat(error(() -> write(range, 0, new byte[CHUNK]))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(read(range, 0, CHUNK)).isEqualTo(value);
  }

  @Test
  void oldTokensAndUnknownSegmentsAreRefused() {
    TokenRange old = new TokenRange(0, CHUNK, 5, CHUNK);
    TokenRange next = new TokenRange(0, CHUNK, 6, CHUNK);
    write(old, 0, new byte[CHUNK]);
    write(next, 0, value(CHUNK));
    assertThat(error(() -> read(old, 0, 1))).isEqualTo(ErrorCode.STALE_TOKEN);
    assertThat(error(() -> write(old, 0, new byte[CHUNK]))).isEqualTo(ErrorCode.STALE_TOKEN);
    assertThat(read(next, 0, CHUNK)).isEqualTo(value(CHUNK));
    for (long id : new long[] {0, -1, 6, 8, Long.MIN_VALUE, Long.MAX_VALUE}) {
      SegmentId other = new SegmentId(id);
      assertThat(error(() -> read(other, next, 0, 1))).isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
      assertThat(error(() -> write(other, next, 0, new byte[1], 0)))
          .isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
    }
    store.withdrawAll();
    assertThat(error(() -> read(next, 0, 1))).isEqualTo(ErrorCode.SEGMENT_NOT_FOUND);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 10, 5, 10, 0",
    "0, -10, 5, 10, 0",
    "0, 10, 0, 10, 0",
    "0, 10, 5, -1, 0",
    "0, 10, 5, 11, 0",
    "65536, 10, 5, 10, 0",
    "9223372036854775807, 10, 5, 10, 0",
    "0, 9223372036854775807, 5, 10, 0",
    "0, 10, 5, 10, -4096",
    "0, 10, 5, 10, 4096",
    "0, 10, 5, 10, 9223372036854775807",
    "0, 10, 5, 10, -9223372036854775808",
  })
  void absurdNumbersAreRefusedAndTheConnectionGoesOn(
      long offset, long length, long token, long objectBytes, long from) {
    TokenRange range = new TokenRange(offset, length, token, objectBytes);
    assertThat(error(() -> write(range, from, new byte[10]))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(error(() -> read(range, from, 10)))
        .isIn(ErrorCode.INVALID_ARGUMENT, ErrorCode.STALE_TOKEN);
    assertWritesAndReads();
  }

  @ParameterizedTest
  @ValueSource(longs = {Limits.FRAME_BODY_BYTES_MAX + 1L, Long.MAX_VALUE})
  void readsLargerThanAFrameAreRefused(long length) {
    assertThat(error(() -> read(RANGE, 0, length))).isEqualTo(ErrorCode.TOO_LARGE);
  }

  @Test
  void payloadsOfTheWrongLengthAreRefused() {
    for (int length : new int[] {0, 1, CHUNK - 1, CHUNK + 1, 3 * CHUNK}) {
      assertThat(error(() -> write(RANGE, 0, new byte[length])))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void headersThatAreNoMessageAreRefused() {
    Random random = new Random(3);
    int seen = 0;
    for (int round = 0; round < 300; round++) {
      byte[] garbage = new byte[random.nextInt(60)];
      random.nextBytes(garbage);
      ByteString header = ByteString.copyFrom(garbage);
      for (int type : new int[] {FrameType.DATA_WRITE, FrameType.DATA_READ}) {
        List<ByteBuffer> body =
            type == FrameType.DATA_WRITE ? List.of(ByteBuffer.allocate(10)) : List.of();
        ErrorCode code =
            error(
                () ->
                    connection.call(
                        new Connection.Call(
                            type, header, body, Connection.ReplyTarget.NONE, soon())));
        assertThat(code)
            .isIn(
                ErrorCode.PROTOCOL_VIOLATION,
                ErrorCode.SEGMENT_NOT_FOUND,
                ErrorCode.INVALID_ARGUMENT);
        seen += code == ErrorCode.PROTOCOL_VIOLATION ? 1 : 0;
      }
    }
    assertThat(seen).isPositive();
    assertWritesAndReads();
  }

  @Test
  void aReadTakesNoPayload() {
    assertThat(
            error(
                () ->
                    connection.call(
                        new Connection.Call(
                            FrameType.DATA_READ,
                            DataCodec.encode(new DataCodec.BytesRead(SEGMENT, RANGE, 0, 1)),
                            List.of(ByteBuffer.allocate(10)),
                            Connection.ReplyTarget.NONE,
                            soon()))))
        .isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
  }

  @Test
  void rangesBeyondFourGibibytesAreTheirOwn(@TempDir Path folder) {
    long far = (1L << 32) + CHUNK;
    SegmentId large = new SegmentId(9);
    try (StoreSegment other =
        new StoreSegment(SegmentMemory.allocate(far + CHUNK, MemorySource.ofFileSystem(folder)))) {
      store.publish(large, other);
      byte[] near = value(CHUNK);
      byte[] distant = value(CHUNK - 1);
      TokenRange first = new TokenRange(CHUNK, CHUNK, 5, CHUNK);
      TokenRange last = new TokenRange(far, CHUNK, 6, CHUNK - 1);
      write(large, first, 0, near, Checksums.crc32c(wrap(near)));
      write(large, last, 0, distant, Checksums.crc32c(wrap(distant)));
      assertThat(read(large, first, 0, CHUNK)).isEqualTo(near);
      assertThat(read(large, last, 0, CHUNK - 1)).isEqualTo(distant);
    }
  }

  @Test
  void tellsWhatItHolds() {
    assertWritesAndReads();
    List<DataCodec.SegmentStatus> status =
        DataCodec.decodeStatus(
            connection
                .call(Connection.Call.of(FrameType.DATA_STATUS, ByteString.EMPTY, soon()))
                .header());
    assertThat(status).hasSize(1);
    assertThat(status.getFirst().segment()).isEqualTo(SEGMENT);
    assertThat(status.getFirst().capacityBytes()).isEqualTo(CAPACITY);
    assertThat(status.getFirst().ranges()).isEqualTo(1);
  }

  private boolean write(TokenRange range, long from, byte[] chunk) {
    return write(SEGMENT, range, from, chunk, Checksums.crc32c(wrap(chunk)));
  }

  private boolean write(SegmentId id, TokenRange range, long from, byte[] chunk, int checksum) {
    ByteString header =
        DataCodec.encode(new DataCodec.ChunkWrite(id, range, CHUNK, from, checksum));
    List<ByteBuffer> body = chunk.length == 0 ? List.of() : List.of(wrap(chunk));
    return DataCodec.decodeWritten(
        connection
            .call(
                new Connection.Call(
                    FrameType.DATA_WRITE, header, body, Connection.ReplyTarget.NONE, soon()))
            .header());
  }

  private byte[] read(TokenRange range, long from, long length) {
    return read(SEGMENT, range, from, length);
  }

  private byte[] read(SegmentId id, TokenRange range, long from, long length) {
    List<ByteBuffer> target = new ArrayList<>();
    Connection.Reply reply =
        connection.call(
            new Connection.Call(
                FrameType.DATA_READ,
                DataCodec.encode(new DataCodec.BytesRead(id, range, from, length)),
                List.of(),
                (header, bytes) -> {
                  ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
                  target.add(buffer);
                  return buffer.duplicate();
                },
                soon()));
    byte[] bytes = new byte[reply.bodyBytes()];
    if (bytes.length > 0) {
      target.getFirst().get(bytes);
    }
    assertThat(Checksums.crc32c(wrap(bytes)))
        .as("checksum of the answer")
        .isEqualTo(DataCodec.decodeReadable(reply.header()));
    return bytes;
  }

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(20));
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes);
  }

  private static byte[] slice(byte[] bytes, int from, int length) {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  private static byte[] value(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static ErrorCode error(Runnable call) {
    try {
      call.run();
    } catch (FloeException e) {
      return e.code();
    }
    throw new AssertionError("it was accepted");
  }
}
