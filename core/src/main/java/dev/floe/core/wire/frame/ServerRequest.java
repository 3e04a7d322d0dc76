package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.RequestHandler;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One request on its way through a server: what it holds, and the answer to it.
///
/// Owned by the connection's reader, then by the handler's thread; never by both.
final class ServerRequest {
  private final ServerConnection connection;
  private final FrameHeader head;
  private final Deadline deadline;
  private @Nullable Semaphore memory;
  private int reservedBytes;
  private RequestHandler.@Nullable BodyTarget target;
  private RequestHandler.@Nullable RequestHead known;

  ServerRequest(ServerConnection connection, FrameHeader head, Deadline deadline) {
    this.connection = connection;
    this.head = head;
    this.deadline = deadline;
  }

  /// Waits for memory for the request's bytes; false when there was none in time.
  boolean reserve(Semaphore from, WireOptions options) {
    long wanted = (long) head.message().bytes() + head.bodyBytes();
    int bytes = (int) Math.min(wanted, options.bounds().inFlightBytesMax());
    if (!from.tryAcquire(bytes)) {
      long nanos = Math.min(deadline.remainingNanos(), options.timeouts().frame().toNanos());
      try {
        if (!from.tryAcquire(bytes, nanos, TimeUnit.NANOSECONDS)) {
          return false;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    memory = from;
    reservedBytes = bytes;
    return true;
  }

  /// Reads the payload to where the handler wants it, or skips it and returns why.
  @Nullable FloeException readBody(
      FrameReader reader,
      @Nullable RequestHandler handler,
      ByteString message,
      Transport.Identity peer)
      throws IOException {
    known = new RequestHandler.RequestHead(head.type(), message, head.bodyBytes(), peer, deadline);
    if (head.bodyBytes() == 0) {
      return null;
    }
    try {
      if (handler == null) {
        throw unsupported();
      }
      target = handler.bodyTarget(known);
      ByteBuffer buffer = target.buffer();
      FrameReader.checkTarget(buffer, head.bodyBytes());
      reader.body(buffer, head.bodyBytes());
      return null;
    } catch (RuntimeException e) {
      // Only naming the buffer throws these: nothing of the payload was read yet.
      reader.skip(head.bodyBytes());
      return asFloeException(e);
    }
  }

  /// Runs the handler unless the caller has stopped waiting, and writes the answer.
  void handle(RequestHandler handler) {
    RequestHandler.Response response;
    try {
      response = outcome(handler);
    } catch (RuntimeException | Error e) {
      closeTarget();
      answer(asFloeException(e));
      return;
    }
    closeTarget();
    try {
      connection.write(frame(FrameHeader.Kind.RESPONSE, response.header(), response.body()));
    } catch (FloeException e) {
      answer(
          new FloeException(
              ErrorCode.INTERNAL, "the handler's answer is no frame: " + e.getMessage(), e));
    } finally {
      runQuietly(response.afterWrite());
    }
  }

  private RequestHandler.Response outcome(RequestHandler handler) {
    if (deadline.isExpired()) {
      throw new FloeException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the deadline had passed before " + name() + " was begun; it was not executed");
    }
    if (known == null) {
      throw new IllegalStateException("handled before it was read");
    }
    return handler.handle(known, target);
  }

  /// Answers with an error.
  void answer(FloeException error) {
    connection.write(frame(FrameHeader.Kind.ERROR, Handshake.encode(error), List.of()));
  }

  private FrameWriter.Frame frame(
      FrameHeader.Kind kind, ByteString message, List<ByteBuffer> body) {
    return new FrameWriter.Frame(kind, head.type(), head.requestId(), message, body, 0);
  }

  /// Gives back all that the request holds; called once, last.
  void release() {
    closeTarget();
    Semaphore lender = memory;
    if (lender != null) {
      lender.release(reservedBytes);
    }
    connection.releaseSlot();
  }

  private void closeTarget() {
    RequestHandler.BodyTarget open = target;
    if (open != null) {
      target = null;
      runQuietly(open::close);
    }
  }

  FloeException unsupported() {
    return new FloeException(
        ErrorCode.UNSUPPORTED,
        "this node does not serve " + name() + ": check the address, or upgrade the node");
  }

  FloeException noMemory() {
    if (deadline.isExpired()) {
      return new FloeException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the deadline passed while " + name() + " waited for memory; it was not executed");
    }
    return new FloeException(
        ErrorCode.OVERLOADED,
        "the node holds too many bytes of requests to take "
            + name()
            + " with "
            + head.bodyBytes()
            + " bytes: retry later");
  }

  private FloeException asFloeException(Throwable thrown) {
    if (thrown instanceof FloeException known) {
      return known;
    }
    WireLog.LOG.error("{} of {} failed: this is a defect", name(), connection.remote(), thrown);
    return new FloeException(
        ErrorCode.INTERNAL, name() + " failed: " + thrown + "; see the log of the node", thrown);
  }

  private void runQuietly(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      WireLog.LOG.error("cleaning up after {} failed: this is a defect", name(), e);
    }
  }

  private String name() {
    return String.format("request type 0x%04x", head.type());
  }
}
