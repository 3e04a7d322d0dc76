package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.RequestHandler;
import dev.floe.core.wire.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// The serving side of one connection: reads requests, hands them to handlers, writes answers.
///
/// Its reader stops reading while too many requests of the connection are handled or the server
/// holds too many bytes, so a peer that sends too fast is held back by TCP.
final class ServerConnection {
  private static final Duration NO_DEADLINE = Duration.ofDays(36_500);
  private static final int DRAIN_BYTES_MAX = 1024 * 1024;

  private final FrameServer server;
  private final ByteLink link;
  private final Watchdog.Guard guard;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final Semaphore slots;
  private final Runnable whenBegun;

  ServerConnection(FrameServer server, ByteLink link) {
    this.server = server;
    this.link = link;
    this.guard =
        server.watchdog().watch(link, () -> server.log().refused(link.remote(), "it was too slow"));
    this.reader = new FrameReader(link);
    this.writer = new FrameWriter(link, guard);
    this.slots = new Semaphore(server.options().bounds().connectionRequestsMax());
    this.whenBegun = () -> guard.readBy(server.after(server.options().timeouts().frame()));
  }

  /// Serves until either side closes; runs on the connection's reader.
  void serve() {
    try {
      Transport.Identity peer = handshake();
      if (peer == null) {
        return;
      }
      FrameHeader head = nextHead();
      while (head != null) {
        receive(head, peer);
        head = nextHead();
      }
    } catch (FloeException e) {
      server.log().refused(link.remote(), e.getMessage());
    } catch (IOException e) {
      WireLog.LOG.debug("the connection of {} ended: {}", link.remote(), e.toString());
    } catch (RuntimeException e) {
      WireLog.LOG.error("serving {} failed: this is a defect", link.remote(), e);
    }
  }

  /// The next request's fixed part. The peer may be silent for as long as it likes, but what it has
  /// begun it must go on with.
  private @Nullable FrameHeader nextHead() throws IOException {
    FrameHeader head = reader.next(whenBegun);
    guard.readBy(null);
    return head;
  }

  private Transport.@Nullable Identity handshake() throws IOException {
    Deadline deadline = server.after(server.options().timeouts().handshake());
    guard.readBy(deadline);
    try {
      FrameHeader head = reader.next();
      if (head == null) {
        return null;
      }
      Handshake.checkFirst(head);
      Transport.Identity peer = Handshake.judge(reader.message(head.message()), server.self());
      ByteString hello = Handshake.hello(server.self());
      writer.write(
          new FrameWriter.Frame(
              FrameHeader.Kind.RESPONSE, FrameType.HELLO, head.requestId(), hello, List.of(), 0),
          deadline);
      guard.readBy(null);
      return peer;
    } catch (FloeException e) {
      // Whatever else speaks there would not understand an answer.
      if (e.code() == ErrorCode.WRONG_CLUSTER || e.code() == ErrorCode.VERSION_MISMATCH) {
        refuse(e);
      }
      throw e;
    }
  }

  /// Tells the peer why, then lets it hang up first: closing with unread bytes would reset the
  /// connection and could destroy the answer on its way.
  private void refuse(FloeException why) throws IOException {
    FrameWriter.Frame frame =
        new FrameWriter.Frame(
            FrameHeader.Kind.ERROR, FrameType.HELLO, 0, Handshake.encode(why), List.of(), 0);
    writer.write(frame, server.after(server.options().timeouts().handshake()));
    link.endOutput();
    ByteBuffer scratch = ByteBuffer.allocate(4096);
    int drained = 0;
    int count = 0;
    while (count >= 0 && drained < DRAIN_BYTES_MAX) {
      scratch.clear();
      count = link.read(scratch);
      drained += Math.max(0, count);
    }
  }

  private void receive(FrameHeader head, Transport.Identity peer) throws IOException {
    if (head.kind() != FrameHeader.Kind.REQUEST) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION, "a client sent a " + head.kind() + " instead of a request");
    }
    Deadline deadline =
        server.after(
            head.deadlineMillis() == 0 ? NO_DEADLINE : Duration.ofMillis(head.deadlineMillis()));
    slots.acquireUninterruptibly();
    ServerRequest request = new ServerRequest(this, head, deadline);
    boolean isHandedOver = false;
    try {
      isHandedOver = take(request, head, peer);
    } finally {
      if (!isHandedOver) {
        request.release();
      }
    }
  }

  /// Reads the rest of a request and has it handled; true when another thread does that.
  private boolean take(ServerRequest request, FrameHeader head, Transport.Identity peer)
      throws IOException {
    boolean hasMemory = request.reserve(server.memory(), server.options());
    // Only now: waiting for memory is not the peer's fault.
    guard.readBy(server.after(server.options().timeouts().frame()));
    if (!hasMemory) {
      reader.skip((long) head.message().bytes() + head.bodyBytes());
      guard.readBy(null);
      request.answer(request.noMemory());
      return false;
    }
    ByteString message = reader.message(head.message());
    RequestHandler handler = server.handlers().handlerOf(head.type());
    FloeException refusal = request.readBody(reader, handler, message, peer);
    guard.readBy(null);
    if (refusal != null || handler == null) {
      request.answer(refusal == null ? request.unsupported() : refusal);
      return false;
    }
    if (handler.isInline()) {
      request.handle(handler);
      return false;
    }
    server.enter();
    boolean isStarted = false;
    try {
      Thread.ofVirtual().name("floe-handler").start(() -> run(request, handler));
      isStarted = true;
    } finally {
      if (!isStarted) {
        server.leave();
      }
    }
    return isStarted;
  }

  private void run(ServerRequest request, RequestHandler handler) {
    try {
      request.handle(handler);
    } finally {
      request.release();
      server.leave();
    }
  }

  /// Ends a request's claim on the connection.
  void releaseSlot() {
    slots.release();
  }

  /// Writes an answer; a connection that does not take it is closed.
  void write(FrameWriter.Frame frame) {
    try {
      writer.write(frame, server.after(server.options().timeouts().frame()));
    } catch (IOException | FloeException e) {
      WireLog.LOG.debug("an answer to {} was not written: {}", link.remote(), e.toString());
      link.close();
    }
  }

  String remote() {
    return link.remote();
  }

  /// Ends the connection; its reader ends soon after.
  void close() {
    guard.release();
    link.close();
  }
}
