package dev.floe.store.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A transport that does to requests what its plan says.
final class FaultyTransport implements Transport {
  private final Transport real;
  volatile Plan plan = (to, call) -> Fault.NONE;

  /// Gets each request that met no fault when its outcome is known, before its sender gets it.
  volatile BiConsumer<Endpoint, Connection.Call> afterwards = (to, call) -> {};

  FaultyTransport(Transport real) {
    this.real = real;
  }

  /// Decides what happens to a request.
  @FunctionalInterface
  interface Plan {
    Fault of(Endpoint to, Connection.Call call);
  }

  enum Fault {
    NONE,
    /// Nobody answers there.
    UNREACHABLE,
    /// The connection breaks before the request is out.
    LOST_BEFORE,
    /// The request is executed and its answer lost.
    LOST_AFTER,
    /// The answer comes after the deadline.
    LATE,
    /// One byte of the request's payload changes on the way.
    CORRUPT_REQUEST,
    /// One byte of the answer's payload changes on the way.
    CORRUPT_REPLY,
    /// The answer's payload is one byte short.
    SHORT_REPLY,
    /// The store reports a stale token.
    STALE,
    /// The store does not have the segment.
    NO_SEGMENT,
    /// The store fails.
    INTERNAL
  }

  @Override
  public Listener listen(Endpoint address, Identity self, HandlerTable handlers) {
    return real.listen(address, self, handlers);
  }

  @Override
  public Connection connect(Endpoint to, Identity self, Deadline deadline) {
    return new FaultyConnection(to, real.connect(to, self, deadline));
  }

  private final class FaultyConnection implements Connection {
    private final Endpoint to;
    private final Connection inner;

    FaultyConnection(Endpoint to, Connection inner) {
      this.to = to;
      this.inner = inner;
    }

    @Override
    public PendingReply send(Call call) {
      return switch (plan.of(to, call)) {
        case NONE -> observed(call, inner.send(call));
        case UNREACHABLE -> throw error(ErrorCode.UNAVAILABLE);
        case LOST_BEFORE -> throw error(ErrorCode.CONNECTION_LOST);
        case LOST_AFTER -> failAfter(inner.send(call), ErrorCode.CONNECTION_LOST);
        case LATE -> failAfter(inner.send(call), ErrorCode.DEADLINE_EXCEEDED);
        case CORRUPT_REQUEST -> inner.send(corrupted(call));
        case CORRUPT_REPLY -> corruptReply(call);
        case SHORT_REPLY -> shortReply(call);
        case STALE -> fail(ErrorCode.STALE_TOKEN);
        case NO_SEGMENT -> fail(ErrorCode.SEGMENT_NOT_FOUND);
        case INTERNAL -> fail(ErrorCode.INTERNAL);
      };
    }

    private PendingReply observed(Call call, PendingReply reply) {
      return () -> {
        try {
          return reply.await();
        } finally {
          afterwards.accept(to, call);
        }
      };
    }

    private PendingReply failAfter(PendingReply reply, ErrorCode code) {
      return () -> {
        reply.await();
        throw error(code);
      };
    }

    private PendingReply fail(ErrorCode code) {
      return () -> {
        throw error(code);
      };
    }

    private FloeException error(ErrorCode code) {
      return new FloeException(code, "injected at " + to);
    }

    private Call corrupted(Call call) {
      List<ByteBuffer> body = new ArrayList<>();
      for (ByteBuffer part : call.body()) {
        ByteBuffer copy = ByteBuffer.allocateDirect(part.remaining()).put(part.duplicate()).flip();
        copy.put(copy.limit() / 2, (byte) ~copy.get(copy.limit() / 2));
        body.add(copy);
      }
      return new Call(call.type(), call.header(), body, call.target(), call.deadline());
    }

    private PendingReply corruptReply(Call call) {
      AtomicReference<@Nullable ByteBuffer> place = new AtomicReference<>();
      ReplyTarget target =
          (header, bytes) -> {
            ByteBuffer buffer = call.target().bufferFor(header, bytes);
            place.set(buffer.duplicate());
            return buffer;
          };
      PendingReply reply =
          inner.send(new Call(call.type(), call.header(), call.body(), target, call.deadline()));
      return () -> {
        Reply answer = reply.await();
        ByteBuffer bytes = place.get();
        if (bytes != null) {
          int at = bytes.position() + answer.bodyBytes() / 2;
          bytes.put(at, (byte) ~bytes.get(at));
        }
        return answer;
      };
    }

    private PendingReply shortReply(Call call) {
      ReplyTarget target = (header, bytes) -> call.target().bufferFor(header, bytes - 1);
      return inner.send(new Call(call.type(), call.header(), call.body(), target, call.deadline()));
    }

    @Override
    public Identity peer() {
      return inner.peer();
    }

    @Override
    public boolean isOpen() {
      return inner.isOpen();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
