package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.ByteLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Puts frames on a link, one at a time, for any number of threads.
///
/// The fixed part and the protobuf header go through a small direct buffer; direct payload buffers
/// are handed to the same gathering write as they are. Heap payloads are copied step by step.
final class FrameWriter {
  private static final int STAGE_BYTES = 16 * 1024;

  private final ByteLink link;
  private final Watchdog.Guard guard;
  private final ReentrantLock lock = new ReentrantLock();
  private final ByteBuffer stage = ByteBuffer.allocateDirect(STAGE_BYTES);
  private final List<ByteBuffer> gathered = new ArrayList<>();

  FrameWriter(ByteLink link, Watchdog.Guard guard) {
    this.link = link;
    this.guard = guard;
  }

  /// Writes a whole frame or throws.
  ///
  /// @throws FloeException `DEADLINE_EXCEEDED` or `CANCELLED` when nothing was written, because
  ///     others kept the link busy or the thread was interrupted
  /// @throws IOException when the link broke, was closed, the write passed its deadline, or the
  ///     payload's memory was freed: a part may have been written and the link is of no use any more
  void write(Frame frame, Deadline by) throws IOException {
    acquire(by);
    try {
      guard.writeBy(by);
      put(frame);
    } catch (IllegalStateException | WrongThreadException e) {
      throw new IOException("the memory of a payload was freed, or is confined to a thread", e);
    } finally {
      guard.writeBy(null);
      stage.clear();
      gathered.clear();
      lock.unlock();
    }
  }

  /// One frame to write.
  ///
  /// @param deadlineMillis see `FrameHeader`
  record Frame(
      FrameHeader.Kind kind,
      int type,
      long requestId,
      ByteString message,
      List<ByteBuffer> body,
      long deadlineMillis) {
    /// @throws FloeException `TOO_LARGE` when header or payload exceed the limits of a frame
    Frame {
      check("protobuf header", message.size(), Limits.FRAME_HEADER_BYTES_MAX, type);
      check("payload", total(body), Limits.FRAME_BODY_BYTES_MAX, type);
    }

    private static long total(List<ByteBuffer> body) {
      long bytes = 0;
      for (ByteBuffer part : body) {
        bytes += part.remaining();
      }
      return bytes;
    }

    private static void check(String what, long bytes, long max, int type) {
      if (bytes > max) {
        throw new FloeException(
            ErrorCode.TOO_LARGE,
            String.format(
                "a %s of %d bytes does not fit in a frame of type 0x%04x, the limit is %d: split"
                    + " it",
                what, bytes, type, max));
      }
    }

    private FrameHeader header() {
      return new FrameHeader(
          kind,
          type,
          requestId,
          new FrameHeader.Message(message.size(), FrameCodec.crcOf(message)),
          (int) total(body),
          deadlineMillis);
    }
  }

  private void acquire(Deadline by) {
    try {
      if (lock.tryLock() || lock.tryLock(by.remainingNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(
          ErrorCode.CANCELLED,
          "interrupted while waiting to send to " + link.remote() + "; nothing was sent",
          e);
    }
    throw new FloeException(
        ErrorCode.DEADLINE_EXCEEDED,
        "other requests kept the connection to "
            + link.remote()
            + " busy until the deadline; nothing was sent");
  }

  private void put(Frame frame) throws IOException {
    stage.clear();
    FrameCodec.encode(frame.header(), stage);
    stage(frame.message().asReadOnlyByteBuffer());
    for (ByteBuffer part : frame.body()) {
      if (part.isDirect()) {
        gathered.add(part.duplicate());
      } else {
        if (!gathered.isEmpty()) {
          flush();
        }
        stage(part.duplicate());
      }
    }
    flush();
  }

  private void stage(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (!stage.hasRemaining()) {
        flush();
      }
      int step = Math.min(stage.remaining(), bytes.remaining());
      stage.put(stage.position(), bytes, bytes.position(), step);
      stage.position(stage.position() + step);
      bytes.position(bytes.position() + step);
    }
  }

  private void flush() throws IOException {
    stage.flip();
    ByteBuffer[] parts = new ByteBuffer[gathered.size() + 1];
    parts[0] = stage;
    for (int i = 0; i < gathered.size(); i++) {
      parts[i + 1] = gathered.get(i);
    }
    link.write(parts);
    stage.clear();
    gathered.clear();
  }
}
