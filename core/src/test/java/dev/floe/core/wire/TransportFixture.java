package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.time.Ticker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/// A listener, a connection to it and the handlers behind it, fresh for each test; a subclass names the
/// transport and an address that it may bind.
@Timeout(60)
abstract class TransportFixture {
  protected static final Transport.Identity SERVER = new Transport.Identity("blue", "master/m1");

  protected static final Transport.Identity CLIENT = new Transport.Identity("blue", "client");

  final FakeTicker callers = new FakeTicker();

  Transport transport;

  TestHandlers handlers;

  Transport.Listener listener;

  Connection connection;

  /// A transport with the given bounds.
  protected abstract Transport transport(WireOptions options);

  /// Where a listener may bind: a port that the system picks.
  protected Endpoint anyAddress() {
    return new Endpoint("127.0.0.1", 0);
  }

  @BeforeEach
  void start() {
    transport = transport(WireOptions.standard(Ticker.system()));
    handlers = new TestHandlers();
    listener = transport.listen(anyAddress(), SERVER, handlers.table());
    connection = transport.connect(listener.endpoint(), CLIENT, soon());
  }

  @AfterEach
  void stop() {
    handlers.releaseAll();
    connection.close();
    listener.close();
  }

  protected static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(30));
  }

  static Deadline inMillis(long millis) {
    return Deadline.after(Ticker.system(), Duration.ofMillis(millis));
  }

  /// A caller's deadline that passes when the test says so, and no earlier on a busy machine.
  Deadline untilCalledLate() {
    return Deadline.after(callers, Duration.ofSeconds(30));
  }

  void callLate() {
    callers.advance(Duration.ofSeconds(31));
  }

  protected static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  static ByteString text(String text) {
    return ByteString.copyFromUtf8(text);
  }

  static ByteBuffer random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return ByteBuffer.allocateDirect(bytes).put(content).flip();
  }

  static Connection.Call blockingWrite(int bytes, Deadline deadline) {
    return new Connection.Call(
        TestHandlers.BLOCK,
        ByteString.EMPTY,
        List.of(random(bytes, 1)),
        Connection.ReplyTarget.NONE,
        deadline);
  }

  /// A listener on this test's own transport network with narrower bounds; the in-memory network is
  /// per instance, so the transport is replaced as well.
  Transport.Listener listenWith(WireOptions.Bounds bounds) {
    connection.close();
    listener.close();
    transport = transport(WireOptions.standard(Ticker.system()).with(bounds));
    return transport.listen(anyAddress(), SERVER, handlers.table());
  }

  void assertStillServes() {
    assertThat(connection.call(Connection.Call.of(FrameType.PING, text("again"), soon())).header())
        .isEqualTo(text("again"));
  }

  /// Work of one of several parallel callers.
  protected interface Work {
    void run(int caller) throws Exception;
  }

  protected static void inParallel(int callers, Work work) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Object>> results = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        int caller = i;
        Callable<Object> task =
            () -> {
              work.run(caller);
              return "done";
            };
        results.add(executor.submit(task));
      }
      for (Future<Object> result : results) {
        result.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a caller failed", e.getCause());
    }
  }
}
