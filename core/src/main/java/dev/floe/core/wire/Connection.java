package dev.floe.core.wire;

import com.google.protobuf.ByteString;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import java.nio.ByteBuffer;
import java.util.List;

/// One connection to another node; safe for many threads, which share it by request id.
public interface Connection extends AutoCloseable {
  /// Writes a request; the answer is awaited on what is returned, so a caller may keep many in
  /// flight.
  ///
  /// Blocks while the frame is written. The call's body buffers may be reused when this method has
  /// returned; their positions are not moved. What is returned must be awaited.
  ///
  /// A caller that is interrupted before the frame is written gets `CANCELLED` and nothing is
  /// sent. An interrupt in the middle of writing cuts the frame, which ends the connection for all
  /// its callers.
  ///
  /// @throws FloeException `CONNECTION_LOST` when the connection is closed or breaks: the request
  ///     may have been executed; `DEADLINE_EXCEEDED` when it could not be written in time: nothing was
  ///     sent unless the connection is closed now, because the other side did not take it all;
  ///     `OVERLOADED` when too many calls are unanswered; `TOO_LARGE` above the frame limits;
  ///     `CANCELLED` when the thread is interrupted
  PendingReply send(Call call);

  /// Sends and awaits.
  default Reply call(Call call) {
    return send(call).await();
  }

  /// Who answered the `HELLO`.
  Transport.Identity peer();

  /// Whether requests can still be sent.
  boolean isOpen();

  @Override
  void close();

  /// A request: its type, its encoded protobuf header, its payload, where the reply's payload goes,
  /// and by when.
  ///
  /// @param type one of `FrameType`
  /// @param header encoded protobuf message, at most `Limits.FRAME_HEADER_BYTES_MAX`
  /// @param body payload, written from position to limit of each buffer without copying; empty for
  ///     none
  /// @param target where a reply's payload goes
  record Call(
      int type, ByteString header, List<ByteBuffer> body, ReplyTarget target, Deadline deadline) {
    /// A request without payload whose reply has none either.
    public static Call of(int type, ByteString header, Deadline deadline) {
      return new Call(type, header, List.of(), ReplyTarget.NONE, deadline);
    }
  }

  /// Chooses the buffer that a reply's payload is read into; called on the connection's reader, so
  /// it must be quick.
  @FunctionalInterface
  interface ReplyTarget {
    /// Refuses any payload.
    ReplyTarget NONE =
        (header, bodyBytes) -> {
          throw new FloeException(
              dev.floe.core.error.ErrorCode.PROTOCOL_VIOLATION,
              "a reply without payload was expected but " + bodyBytes + " bytes came");
        };

    /// The buffer for `bodyBytes` bytes: at least that many remain in it. It is filled from its
    /// position on, which is not moved. Throwing skips the payload and fails the call. Not called
    /// for a reply without payload.
    ByteBuffer bufferFor(ByteString header, int bodyBytes);
  }

  /// The answer to a request.
  ///
  /// @param header encoded protobuf message
  /// @param bodyBytes bytes that were put into the target's buffer
  record Reply(ByteString header, int bodyBytes) {}

  /// A request that is under way.
  interface PendingReply {
    /// Waits for the answer.
    ///
    /// When this returns or throws, nothing writes into the target's buffer any more.
    ///
    /// @throws FloeException what the other side reported; `DEADLINE_EXCEEDED` or
    ///     `CONNECTION_LOST` when no answer came, `CANCELLED` when the waiting thread was
    ///     interrupted: in these three cases the request may have been executed
    Reply await();

    /// Whether the other side answered, be it with an error: then it is alive, whatever `await`
    /// throws. Meaningful once `await` has ended.
    default boolean isAnswered() {
      return false;
    }
  }
}
