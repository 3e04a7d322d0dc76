package dev.floe.core.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.floe.core.error.Limits;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class FrameCodecPropertyTest {
  @Property
  void readsBackWhatItWrote(
      @ForAll FrameHeader.Kind kind,
      @ForAll @IntRange(min = 0, max = 0xFFFF) int type,
      @ForAll long requestId,
      @ForAll @IntRange(min = 0, max = Limits.FRAME_HEADER_BYTES_MAX) int messageBytes,
      @ForAll int crc,
      @ForAll @IntRange(min = 0, max = Limits.FRAME_BODY_BYTES_MAX) int bodyBytes,
      @ForAll @LongRange(min = 0, max = FrameHeader.DEADLINE_MILLIS_MAX) long deadlineMillis,
      @ForAll @IntRange(min = 0, max = 9) int offset) {
    FrameHeader header =
        new FrameHeader(
            kind,
            type,
            requestId,
            new FrameHeader.Message(messageBytes, crc),
            bodyBytes,
            deadlineMillis);
    ByteBuffer buffer = ByteBuffer.allocateDirect(60).position(offset);
    FrameCodec.encode(header, buffer);
    assertThat(buffer.position()).isEqualTo(offset + FrameHeader.BYTES);
    buffer.position(offset);
    assertThat(FrameCodec.decode(buffer)).isEqualTo(header);
    assertThat(buffer.position()).isEqualTo(offset + FrameHeader.BYTES);
  }

  @Property(tries = 200)
  void checksumsRopesAsTheirBytes(@ForAll byte[] first, @ForAll byte[] second) {
    ByteString rope = ByteString.copyFrom(first).concat(ByteString.copyFrom(second));
    assertThat(FrameCodec.crcOf(rope))
        .isEqualTo(FrameCodec.crcOf(ByteString.copyFrom(rope.toByteArray())));
  }
}
