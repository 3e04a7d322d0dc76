package dev.floe.core.wire;

import com.google.protobuf.ByteString;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serves one type of request.
///
/// A `FloeException` from either method becomes an error reply; any other exception becomes
/// `INTERNAL` and is logged.
public interface RequestHandler {
  /// Whether `handle` is so short that it runs on the connection's reader instead of a thread of
  /// its own.
  default boolean isInline() {
    return false;
  }

  /// Names the buffer for a request's payload, before it is read; called on the connection's
  /// reader, so it must be quick. Throwing skips the payload and answers with the error.
  default BodyTarget bodyTarget(RequestHead head) {
    throw new FloeException(
        dev.floe.core.error.ErrorCode.PROTOCOL_VIOLATION,
        "request type "
            + head.type()
            + " takes no payload but "
            + head.bodyBytes()
            + " bytes came");
  }

  /// Does the work. The target, when there was a payload, is filled; it is closed when this method
  /// has ended and before the answer is written, so what `close` does is settled when the caller
  /// learns the outcome. An answer must not refer to the target's buffer.
  Response handle(RequestHead head, @Nullable BodyTarget body);

  /// What is known of a request before its payload is read.
  ///
  /// @param header encoded protobuf message
  /// @param bodyBytes length of the payload, 0 for none
  /// @param peer who sent it
  /// @param deadline when the caller stops waiting
  record RequestHead(
      int type, ByteString header, int bodyBytes, Transport.Identity peer, Deadline deadline) {}

  /// Where a request's payload is read into; closed exactly once, whether the request was handled
  /// or the connection broke in the middle of the payload.
  interface BodyTarget extends AutoCloseable {
    /// At least as many bytes remain as the payload has; filled from its position on. Its position
    /// and limit are not moved. Direct buffers are filled straight from the socket.
    ByteBuffer buffer();

    @Override
    void close();
  }

  /// An answer: its encoded protobuf header and a payload that is written without copying.
  ///
  /// @param afterWrite run once when the payload's buffers are no longer needed, also when writing
  ///     failed
  record Response(ByteString header, List<ByteBuffer> body, Runnable afterWrite) {
    /// An answer without payload.
    public static Response of(ByteString header) {
      return new Response(header, List.of(), () -> {});
    }
  }
}
