package dev.floe.store.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.model.SegmentId;
import dev.floe.store.segment.TokenRange;
import dev.floe.store.wire.DataCodec.BytesRead;
import dev.floe.store.wire.DataCodec.ChunkWrite;
import dev.floe.store.wire.DataCodec.SegmentStatus;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class DataCodecTest {
  private static final TokenRange RANGE = new TokenRange(1L << 33, 4097, 300, 4096);

  @Example
  void theBytesOnTheWireStayWhatTheyAre() {
    assertThat(hex(DataCodec.encode(new ChunkWrite(new SegmentId(7), RANGE, 1024, 2048, -2))))
        .isEqualTo(
            "0a1108071080808080201881202 0ac02288020".replace(" ", "")
                + "1080081880 1025feffffff".replace(" ", ""));
    assertThat(hex(DataCodec.encode(new BytesRead(new SegmentId(7), RANGE, 5, 6))))
        .isEqualTo("0a11080710808080802018812020ac0228802010051806");
    assertThat(hex(DataCodec.written(true))).isEqualTo("0801");
    assertThat(hex(DataCodec.readable(1))).isEqualTo("0d01000000");
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Property(tries = 200)
  void decodesWhatItEncoded(
      @ForAll long segment,
      @ForAll long offset,
      @ForAll long token,
      @ForAll long from,
      @ForAll int number) {
    TokenRange range = new TokenRange(offset, from, token, segment);
    ChunkWrite write = new ChunkWrite(new SegmentId(segment), range, number, from, ~number);
    assertThat(DataCodec.decodeWrite(DataCodec.encode(write))).isEqualTo(write);
    BytesRead read = new BytesRead(new SegmentId(segment), range, from, offset);
    assertThat(DataCodec.decodeRead(DataCodec.encode(read))).isEqualTo(read);
    assertThat(DataCodec.decodeReadable(DataCodec.readable(number))).isEqualTo(number);
    List<SegmentStatus> status =
        List.of(new SegmentStatus(new SegmentId(segment), offset, from, token, 1, 2));
    assertThat(DataCodec.decodeStatus(DataCodec.encode(status))).isEqualTo(status);
  }

  @Property(tries = 1000)
  void anyBytesGiveAMessageOrAClearError(@ForAll byte[] bytes) {
    ByteString header = ByteString.copyFrom(bytes);
    for (Runnable decode :
        List.<Runnable>of(
            () -> DataCodec.decodeWrite(header),
            () -> DataCodec.decodeRead(header),
            () -> DataCodec.decodeWritten(header),
            () -> DataCodec.decodeReadable(header),
            () -> DataCodec.decodeStatus(header))) {
      try {
        decode.run();
      } catch (FloeException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
      }
    }
  }

  @Example
  void whatIsNoMessageIsNamedAsSuch() {
    assertThatThrownBy(() -> DataCodec.decodeRead(ByteString.copyFrom(new byte[] {(byte) 0xff})))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION))
        .hasMessageContaining("no read request");
  }
}
