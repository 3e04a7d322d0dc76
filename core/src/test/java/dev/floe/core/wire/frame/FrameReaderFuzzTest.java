package dev.floe.core.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.FrameType;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// Feeds the decoder with what no writer of ours sends.
final class FrameReaderFuzzTest {
  /// Reads all frames of `bytes`, which come in steps of `step` bytes; returns how many there were.
  private static int readAll(byte[] bytes, int step) throws IOException {
    FrameReader reader = new FrameReader(new ArrayLink(bytes, step));
    int frames = 0;
    FrameHeader head = reader.next();
    while (head != null) {
      reader.message(head.message());
      if (frames % 2 == 0) {
        reader.skip(head.bodyBytes());
      } else {
        reader.body(ByteBuffer.allocate(head.bodyBytes()), head.bodyBytes());
      }
      frames++;
      head = reader.next();
    }
    return frames;
  }

  private static byte[] frames(int count) throws IOException {
    ArrayLink link = new ArrayLink(new byte[0], 1);
    Watchdog.Guard guard = new Watchdog().watch(link);
    FrameWriter writer = new FrameWriter(link, guard);
    Random random = new Random(7);
    for (int i = 0; i < count; i++) {
      byte[] message = new byte[random.nextInt(300)];
      byte[] body = new byte[random.nextInt(20_000)];
      random.nextBytes(message);
      random.nextBytes(body);
      writer.write(
          new FrameWriter.Frame(
              FrameHeader.Kind.REQUEST,
              FrameType.PING,
              i,
              ByteString.copyFrom(message),
              List.of(ByteBuffer.wrap(body)),
              1),
          Deadline.after(Ticker.system(), Duration.ofSeconds(30)));
    }
    guard.release();
    return link.written();
  }

  /// Whatever comes, the decoder ends with a frame, the end of the stream, or a violation.
  private static void assertOnlyExpectedFailures(byte[] bytes, int step) {
    try {
      readAll(bytes, step);
    } catch (EOFException e) {
      assertThat(e).hasMessageContaining("ended");
    } catch (FloeException e) {
      assertThat(e.code()).isIn(ErrorCode.PROTOCOL_VIOLATION, ErrorCode.VERSION_MISMATCH);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void readsFramesHoweverTheStreamIsCut() throws IOException {
    byte[] bytes = frames(6);
    for (int step : new int[] {1, 7, 39, 40, 41, 8191, 8192, 8193, 1 << 20}) {
      assertThat(readAll(bytes, step)).isEqualTo(6);
    }
  }

  @Property
  void survivesRandomBytes(@ForAll byte[] bytes, @ForAll @IntRange(min = 1, max = 50) int step) {
    assertOnlyExpectedFailures(bytes, step);
  }

  @Property(tries = 300)
  void survivesTruncationAnywhere(@ForAll @IntRange(min = 0, max = 30_000) int kept)
      throws IOException {
    byte[] bytes = frames(3);
    assertOnlyExpectedFailures(Arrays.copyOf(bytes, Math.min(kept, bytes.length)), 1000);
  }

  @Property(tries = 500)
  void survivesFlippedBitsAnywhere(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int flips)
      throws IOException {
    byte[] bytes = frames(3);
    Random random = new Random(seed);
    for (int i = 0; i < flips; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    assertOnlyExpectedFailures(bytes, 1000);
  }

  @Test
  void allocatesForWhatCameNotForWhatWasAnnounced() {
    ByteBuffer head = ByteBuffer.allocate(FrameHeader.BYTES);
    FrameCodec.encode(
        new FrameHeader(
            FrameHeader.Kind.REQUEST,
            FrameType.PING,
            1,
            new FrameHeader.Message(Limits.FRAME_HEADER_BYTES_MAX, 0),
            0,
            0),
        head);
    assertOnlyExpectedFailures(head.array(), 40);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertOnlyExpectedFailures(head.array(), 40);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
  }

  /// A link over bytes that are there already.
  private static final class ArrayLink implements ByteLink {
    private final ByteBuffer incoming;
    private final int step;
    private byte[] outgoing = new byte[0];

    private ArrayLink(byte[] incoming, int step) {
      this.incoming = ByteBuffer.wrap(incoming);
      this.step = step;
    }

    byte[] written() {
      return outgoing;
    }

    @Override
    public int read(ByteBuffer target) {
      int count = Math.min(Math.min(step, target.remaining()), incoming.remaining());
      if (count == 0) {
        return -1;
      }
      target.put(incoming.slice(incoming.position(), count));
      incoming.position(incoming.position() + count);
      return count;
    }

    @Override
    public void write(ByteBuffer[] parts) {
      for (ByteBuffer part : parts) {
        int from = outgoing.length;
        int bytes = part.remaining();
        outgoing = Arrays.copyOf(outgoing, from + bytes);
        part.get(outgoing, from, bytes);
      }
    }

    @Override
    public void endOutput() {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public String remote() {
      return "bytes";
    }

    @Override
    public void close() {}
  }
}
