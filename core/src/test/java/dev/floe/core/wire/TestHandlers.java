package dev.floe.core.wire;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Handlers that show what a transport does with requests.
public final class TestHandlers {
  static final int WHO = 0x7001;
  static final int ECHO = 0x7002;
  static final int BLOCK = 0x7003;
  static final int COUNT = 0x7004;
  static final int REFUSE = 0x7005;
  static final int DEFECT = 0x7006;
  static final int REFUSE_BODY = 0x7007;
  static final int SMALL_TARGET = 0x7008;
  static final int SINK = 0x7009;
  static final int TIME_LEFT = 0x700A;
  static final int HUGE_ANSWER = 0x700B;
  static final int SOURCE = 0x700C;

  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger written = new AtomicInteger();
  private final AtomicInteger counter = new AtomicInteger();
  private final AtomicInteger blocked = new AtomicInteger();
  private final AtomicInteger blockedMax = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);

  private volatile Runnable onTarget = () -> {};

  /// Runs `step` whenever a payload's buffer is asked for.
  void whenTargetIsNamed(Runnable step) {
    onTarget = step;
  }

  HandlerTable table() {
    return HandlerTable.builder()
        .add(WHO, answer(false, head -> head.peer().cluster() + " " + head.peer().node()))
        .add(ECHO, echo())
        .add(BLOCK, block())
        .add(COUNT, answer(true, head -> "" + counter.getAndIncrement()))
        .add(REFUSE, answer(false, TestHandlers::refuse))
        .add(DEFECT, answer(false, head -> defect()))
        .add(REFUSE_BODY, refuseBody())
        .add(SMALL_TARGET, small())
        .add(SINK, sink())
        .add(TIME_LEFT, answer(true, head -> "" + head.deadline().remainingMillis()))
        .add(HUGE_ANSWER, huge())
        .add(SOURCE, source())
        .build();
  }

  int opened() {
    return opened.get();
  }

  int closed() {
    return closed.get();
  }

  int written() {
    return written.get();
  }

  int blocked() {
    return blocked.get();
  }

  int blockedMax() {
    return blockedMax.get();
  }

  void releaseAll() {
    released.countDown();
  }

  /// Returns when at least `count` requests are in the blocking handler.
  void awaitBlocked(int count) {
    awaitThat(() -> blocked.get() >= count);
  }

  /// Returns when the condition holds; the test's timeout bounds it.
  public static void awaitThat(java.util.function.BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private interface Answer {
    String to(RequestHandler.RequestHead head);
  }

  private static String refuse(RequestHandler.RequestHead head) {
    throw new FloeException(
        ErrorCode.NO_SPACE,
        head.header().toStringUtf8(),
        Map.of("leader", "m2:7401"),
        /* cause= */ null);
  }

  private static String defect() {
    throw new IllegalStateException("planted defect of a handler");
  }

  private static RequestHandler answer(boolean isInline, Answer answer) {
    return new RequestHandler() {
      @Override
      public boolean isInline() {
        return isInline;
      }

      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        return Response.of(ByteString.copyFromUtf8(answer.to(head)));
      }
    };
  }

  /// A handler whose payloads go into a fresh buffer, counted.
  private abstract class Taking implements RequestHandler {
    @Override
    public BodyTarget bodyTarget(RequestHead head) {
      return target(head.bodyBytes());
    }
  }

  private RequestHandler.BodyTarget target(int bytes) {
    onTarget.run();
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + 3).position(3);
    opened.incrementAndGet();
    return new RequestHandler.BodyTarget() {
      @Override
      public ByteBuffer buffer() {
        return buffer;
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
  }

  private RequestHandler echo() {
    return new Taking() {
      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        List<ByteBuffer> answer =
            body == null ? List.of() : List.of(body.buffer().slice(3, head.bodyBytes()));
        return new Response(head.header(), answer, written::incrementAndGet);
      }
    };
  }

  private RequestHandler sink() {
    return new Taking() {
      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        return Response.of(ByteString.EMPTY);
      }
    };
  }

  private RequestHandler block() {
    return new Taking() {
      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        blockedMax.accumulateAndGet(blocked.incrementAndGet(), Math::max);
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        } finally {
          blocked.decrementAndGet();
        }
        return Response.of(head.header());
      }
    };
  }

  private RequestHandler refuseBody() {
    return new RequestHandler() {
      @Override
      public BodyTarget bodyTarget(RequestHead head) {
        throw new FloeException(ErrorCode.STALE_TOKEN, "token 3 is older than 4");
      }

      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        throw new IllegalStateException("a refused request was handled");
      }
    };
  }

  private RequestHandler small() {
    return new RequestHandler() {
      @Override
      public BodyTarget bodyTarget(RequestHead head) {
        return target(head.bodyBytes() - 1);
      }

      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        throw new IllegalStateException("a request without payload was handled");
      }
    };
  }

  private static RequestHandler huge() {
    return new RequestHandler() {
      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        ByteBuffer large = ByteBuffer.allocate(Limits.FRAME_BODY_BYTES_MAX + 1);
        return new Response(ByteString.EMPTY, List.of(large), () -> {});
      }
    };
  }

  /// Sends as many zero bytes as the request's header names.
  private RequestHandler source() {
    return new RequestHandler() {
      @Override
      public Response handle(RequestHead head, @Nullable BodyTarget body) {
        int bytes = Integer.parseInt(head.header().toStringUtf8());
        return new Response(
            ByteString.EMPTY, List.of(ByteBuffer.allocateDirect(bytes)), written::incrementAndGet);
      }
    };
  }
}
