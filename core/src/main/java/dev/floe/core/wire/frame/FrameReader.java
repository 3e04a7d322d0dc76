package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.ByteLink;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Takes frames from a link; confined to the connection's reader.
///
/// A small direct buffer reads ahead, so that a run of small frames costs one read; a payload is read
/// straight into its target but for the few bytes that came with its header.
final class FrameReader {
  private static final int AHEAD_BYTES = 8 * 1024;

  /// A header grows with what has come, so that a length alone makes nobody allocate.
  private static final int MESSAGE_STEP_BYTES = 64 * 1024;

  private final ByteLink link;
  private final ByteBuffer ahead = ByteBuffer.allocateDirect(AHEAD_BYTES).limit(0);

  FrameReader(ByteLink link) {
    this.link = link;
  }

  /// The next frame's fixed part; null when the stream has ended between frames.
  ///
  /// @throws FloeException `PROTOCOL_VIOLATION` when what comes is no frame of ours, saying what it is
  @Nullable FrameHeader next() throws IOException {
    return next(() -> {});
  }

  /// As `next`.
  ///
  /// @param whenBegun run once when a part of it has come and the rest has to be waited for
  @Nullable FrameHeader next(Runnable whenBegun) throws IOException {
    boolean isBegun = false;
    while (ahead.remaining() < FrameHeader.BYTES) {
      if (ahead.hasRemaining() && !isBegun) {
        isBegun = true;
        whenBegun.run();
      }
      ahead.compact();
      int count;
      try {
        count = link.read(ahead);
      } finally {
        ahead.flip();
      }
      if (count < 0) {
        if (!ahead.hasRemaining()) {
          return null;
        }
        throw new EOFException("the stream ended after " + ahead.remaining() + " bytes of a frame");
      }
      if (FrameCodec.isForeign(ahead)) {
        // Said at once: who greets in another protocol may send too little for a frame and then
        // wait.
        throw new FloeException(
            ErrorCode.PROTOCOL_VIOLATION,
            link.remote() + " does not speak Floe: " + ForeignGreeting.describe(ahead));
      }
    }
    return FrameCodec.decode(ahead);
  }

  /// The frame's protobuf header.
  ///
  /// @throws FloeException `PROTOCOL_VIOLATION` when its checksum is wrong
  ByteString message(FrameHeader.Message message) throws IOException {
    byte[] bytes = new byte[Math.min(message.bytes(), MESSAGE_STEP_BYTES)];
    int filled = 0;
    while (filled < message.bytes()) {
      if (filled == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(message.bytes(), 2L * bytes.length));
      }
      fill(ByteBuffer.wrap(bytes, filled, bytes.length - filled));
      filled = bytes.length;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    if ((int) crc.getValue() != message.crc32c()) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION,
          String.format(
              "the checksum of a protobuf header of %d bytes is %08x but the frame says %08x",
              message.bytes(), (int) crc.getValue(), message.crc32c()));
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /// Reads a payload of `bytes` bytes into `target` from its position on, which stays where it is.
  ///
  /// @throws IOException also when the target's memory was freed meanwhile: the stream is then of no
  ///     use, because nobody knows how much of the payload was taken
  void body(ByteBuffer target, int bytes) throws IOException {
    ByteBuffer view = target.duplicate();
    view.limit(view.position() + bytes);
    try {
      fill(view);
    } catch (IllegalStateException e) {
      throw new IOException("the memory that a payload was read into was freed", e);
    }
  }

  /// Refuses a buffer that a payload cannot be read into.
  ///
  /// @throws FloeException `INTERNAL`: whoever named the buffer has a defect
  static void checkTarget(ByteBuffer target, int bytes) {
    if (target.isReadOnly() || target.remaining() < bytes) {
      throw new FloeException(
          ErrorCode.INTERNAL,
          "a payload of "
              + bytes
              + " bytes cannot be read into a "
              + (target.isReadOnly() ? "read-only " : "")
              + "buffer with "
              + target.remaining()
              + " bytes left");
    }
  }

  /// Drops bytes of a frame that nobody wants.
  void skip(long bytes) throws IOException {
    long left = bytes;
    while (left > 0) {
      if (!ahead.hasRemaining()) {
        ahead.clear();
        int count;
        try {
          count = link.read(ahead);
        } finally {
          ahead.flip();
        }
        checkCount(count, left);
      }
      int step = (int) Math.min(left, ahead.remaining());
      ahead.position(ahead.position() + step);
      left -= step;
    }
  }

  private void fill(ByteBuffer target) throws IOException {
    int step = Math.min(ahead.remaining(), target.remaining());
    target.put(target.position(), ahead, ahead.position(), step);
    target.position(target.position() + step);
    ahead.position(ahead.position() + step);
    while (target.hasRemaining()) {
      checkCount(link.read(target), target.remaining());
    }
  }

  private static void checkCount(int count, long missing) throws EOFException {
    if (count < 0) {
      throw new EOFException("the stream ended " + missing + " bytes before the end of a frame");
    }
  }
}
