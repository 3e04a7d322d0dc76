package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.time.Ticker;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every transport does; a subclass names the transport and an address that it may bind.
@Timeout(60)
public abstract class TransportContractTest {
  protected static final Transport.Identity SERVER = new Transport.Identity("blue", "master/m1");
  protected static final Transport.Identity CLIENT = new Transport.Identity("blue", "client");

  private final FakeTicker callers = new FakeTicker();
  private Transport transport;
  private TestHandlers handlers;
  private Transport.Listener listener;
  private Connection connection;

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

  private static Deadline inMillis(long millis) {
    return Deadline.after(Ticker.system(), Duration.ofMillis(millis));
  }

  /// A caller's deadline that passes when the test says so, and no earlier on a busy machine.
  private Deadline untilCalledLate() {
    return Deadline.after(callers, Duration.ofSeconds(30));
  }

  private void callLate() {
    callers.advance(Duration.ofSeconds(31));
  }

  protected static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private static ByteString text(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static ByteBuffer random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return ByteBuffer.allocateDirect(bytes).put(content).flip();
  }

  @Test
  void introducesBothSidesToEachOther() {
    assertThat(connection.peer()).isEqualTo(SERVER);
    Connection.Reply reply =
        connection.call(Connection.Call.of(TestHandlers.WHO, ByteString.EMPTY, soon()));
    assertThat(reply.header().toStringUtf8()).isEqualTo("blue client");
  }

  @Test
  void answersPingOnEveryNode() {
    Connection.Reply reply =
        connection.call(Connection.Call.of(FrameType.PING, text("hello"), soon()));
    assertThat(reply).isEqualTo(new Connection.Reply(text("hello"), 0));
  }

  @Test
  void carriesHeadersOfEverySizeUpToTheLimit() {
    for (int bytes : new int[] {0, 1, 8_000, 16_344, 16_345, 100_000, 5_000_000}) {
      ByteString header = ByteString.copyFrom(random(bytes, bytes));
      assertThat(connection.call(Connection.Call.of(FrameType.PING, header, soon())).header())
          .isEqualTo(header);
    }
  }

  @Test
  void carriesPayloadsBothWaysIntoTheNamedBuffers() {
    for (int bytes : new int[] {1, 39, 4096, 8192, 8193, 1 << 20, Limits.FRAME_BODY_BYTES_MAX}) {
      ByteBuffer sent = random(bytes, bytes);
      ByteBuffer received = ByteBuffer.allocateDirect(bytes + 20).position(7);
      Connection.Reply reply =
          connection.call(
              new Connection.Call(
                  TestHandlers.ECHO, text("x"), List.of(sent), (h, n) -> received, soon()));
      assertThat(reply.bodyBytes()).isEqualTo(bytes);
      assertThat(received.position()).isEqualTo(7);
      assertThat(received.slice(7, bytes)).isEqualTo(sent);
      assertThat(sent.remaining()).as("the caller's buffer is not moved").isEqualTo(bytes);
    }
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(7);
  }

  @Test
  void carriesPayloadsOfMixedHeapAndDirectBuffers() {
    List<ByteBuffer> parts = new ArrayList<>();
    ByteBuffer whole = ByteBuffer.allocate(300_000);
    for (int i = 0; i < 30; i++) {
      ByteBuffer part = random(10_000, i);
      whole.put(part.duplicate());
      parts.add(i % 3 == 0 ? ByteBuffer.allocate(10_000).put(part).flip() : part);
    }
    ByteBuffer received = ByteBuffer.allocate(300_000);
    connection.call(
        new Connection.Call(
            TestHandlers.ECHO, ByteString.EMPTY, parts, (h, n) -> received, soon()));
    assertThat(received).isEqualTo(whole.flip());
  }

  @Test
  void givesTheReplysHeaderToWhoeverChoosesTheBuffer() {
    ByteBuffer received = ByteBuffer.allocateDirect(10);
    List<String> seen = new ArrayList<>();
    connection.call(
        new Connection.Call(
            TestHandlers.ECHO,
            text("chunk 7"),
            List.of(random(10, 1)),
            (header, bytes) -> {
              seen.add(header.toStringUtf8() + " " + bytes);
              return received;
            },
            soon()));
    assertThat(seen).containsExactly("chunk 7 10");
  }

  @Test
  void matchesRepliesToRequestsWhateverTheirOrder() {
    Connection.PendingReply slow =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("slow"), soon()));
    Connection.PendingReply quick =
        connection.send(Connection.Call.of(FrameType.PING, text("quick"), soon()));
    assertThat(quick.await().header()).isEqualTo(text("quick"));
    handlers.releaseAll();
    assertThat(slow.await().header()).isEqualTo(text("slow"));
  }

  @Test
  void servesManyCallersOfOneConnectionAtOnce() throws Exception {
    inParallel(
        8,
        caller -> {
          for (int i = 0; i < 50; i++) {
            int bytes = 1 + (i * 7919) % 50_000;
            String name = caller + "/" + i;
            ByteBuffer sent = random(bytes, caller * 1000L + i);
            ByteBuffer received = ByteBuffer.allocateDirect(bytes);
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    text(name),
                    List.of(sent),
                    (h, n) -> {
                      assertThat(h.toStringUtf8()).isEqualTo(name);
                      return received;
                    },
                    soon()));
            assertThat(received).isEqualTo(sent);
          }
        });
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(400);
  }

  @Test
  void keepsTheOrderOfRequestsThatAreServedOnTheReader() {
    List<Connection.PendingReply> replies = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      replies.add(
          connection.send(Connection.Call.of(TestHandlers.COUNT, ByteString.EMPTY, soon())));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(replies.get(i).await().header()).isEqualTo(text("" + i));
    }
  }

  @Test
  void reportsTheHandlersErrorWithCodeMessageAndContext() {
    assertThatThrownBy(
            () ->
                connection.call(
                    Connection.Call.of(TestHandlers.REFUSE, text("no space left"), soon())))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE);
              assertThat(e.getMessage()).isEqualTo("no space left");
              assertThat(e.context()).isEqualTo(Map.of("leader", "m2:7401"));
            });
    assertStillServes();
  }

  @Test
  void reportsADefectOfAHandlerAsInternal() {
    assertFails(
        ErrorCode.INTERNAL,
        () -> connection.call(Connection.Call.of(TestHandlers.DEFECT, ByteString.EMPTY, soon())));
    assertStillServes();
  }

  @Test
  void refusesAnUnknownTypeAndSkipsItsPayload() {
    assertFails(
        ErrorCode.UNSUPPORTED,
        () ->
            connection.call(
                new Connection.Call(
                    0x7777,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertStillServes();
  }

  @Test
  void skipsAPayloadThatTheHandlerRefuses() {
    assertFails(
        ErrorCode.STALE_TOKEN,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.REFUSE_BODY,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertFails(
        ErrorCode.PROTOCOL_VIOLATION,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.WHO,
                    text("takes no payload"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertStillServes();
  }

  @Test
  void closesATargetWhoseBufferIsTooSmall() {
    assertFails(
        ErrorCode.INTERNAL,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.SMALL_TARGET,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertStillServes();
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(1);
  }

  @Test
  void failsOnlyTheCallWhoseBufferCannotBeChosen() {
    assertFails(
        ErrorCode.PROTOCOL_VIOLATION,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    text("h"),
                    List.of(random(300_000, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertFails(
        ErrorCode.INTERNAL,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    text("h"),
                    List.of(random(300_000, 1)),
                    (h, n) -> ByteBuffer.allocate(n - 1),
                    soon())));
    assertStillServes();
  }

  @Test
  void closesTheTargetBeforeTheCallerLearnsTheOutcome() {
    connection.call(
        new Connection.Call(
            TestHandlers.SINK,
            ByteString.EMPTY,
            List.of(random(10, 1)),
            Connection.ReplyTarget.NONE,
            soon()));
    assertThat(handlers.closed()).isEqualTo(1);
  }

  @Test
  void runsAfterWriteOnceForEachAnswer() {
    ByteBuffer received = ByteBuffer.allocateDirect(10);
    for (int i = 0; i < 5; i++) {
      connection.call(
          new Connection.Call(
              TestHandlers.ECHO,
              ByteString.EMPTY,
              List.of(random(10, 1)),
              (h, n) -> received,
              soon()));
    }
    connection.close();
    listener.close();
    assertThat(handlers.written()).isEqualTo(5);
  }

  @Test
  void givesUpAtTheDeadlineAndLeavesTheConnectionInOrder() {
    Connection.PendingReply late =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("late"), untilCalledLate()));
    callLate();
    assertFails(ErrorCode.DEADLINE_EXCEEDED, late::await);
    handlers.releaseAll();
    assertStillServes();
    assertThat(connection.isOpen()).isTrue();
  }

  @Test
  void answersARequestWhoseTimeIsUpWithoutHandlingIt() {
    FakeTicker ticker = new FakeTicker();
    handlers.whenTargetIsNamed(() -> ticker.advance(Duration.ofSeconds(11)));
    Transport slow = transport(WireOptions.standard(ticker));
    try (Transport.Listener server = slow.listen(anyAddress(), SERVER, handlers.table());
        Connection client = slow.connect(server.endpoint(), CLIENT, soon())) {
      assertThatThrownBy(() -> client.call(blockingWrite(10, inMillis(10_000))))
          .isInstanceOfSatisfying(
              FloeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
                assertThat(e.getMessage()).contains("not executed");
              });
    }
    assertThat(handlers.blockedMax()).isZero();
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(1);
  }

  @Test
  void tellsAnAnswerFromSilence() {
    Connection.PendingReply refused =
        connection.send(Connection.Call.of(TestHandlers.REFUSE, text("full"), soon()));
    assertFails(ErrorCode.NO_SPACE, refused::await);
    assertThat(refused.isAnswered()).isTrue();
    Connection.PendingReply silent =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), untilCalledLate()));
    callLate();
    assertFails(ErrorCode.DEADLINE_EXCEEDED, silent::await);
    assertThat(silent.isAnswered()).isFalse();
  }

  @Test
  void passesTheRemainingTimeToTheHandler() {
    Connection.Reply reply =
        connection.call(Connection.Call.of(TestHandlers.TIME_LEFT, ByteString.EMPTY, soon()));
    assertThat(Long.parseLong(reply.header().toStringUtf8())).isBetween(1L, 30_001L);
  }

  @Test
  void sendsNothingWhenTheDeadlineHasPassed() {
    assertFails(
        ErrorCode.DEADLINE_EXCEEDED,
        () -> connection.send(Connection.Call.of(TestHandlers.COUNT, text("x"), inMillis(-1))));
    assertThat(
            connection
                .call(Connection.Call.of(TestHandlers.COUNT, ByteString.EMPTY, soon()))
                .header())
        .isEqualTo(text("0"));
  }

  @Test
  void reportsAnInterruptedCallerAsCancelledAndServesTheOthers() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    List<Throwable> thrown = new ArrayList<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Connection.PendingReply reply =
                        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
                    sent.countDown();
                    reply.await();
                  } catch (FloeException e) {
                    thrown.add(e);
                    thrown.add(
                        new IllegalStateException("" + Thread.currentThread().isInterrupted()));
                  }
                });
    sent.await();
    caller.interrupt();
    caller.join();
    assertThat(((FloeException) thrown.get(0)).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(thrown.get(1)).hasMessage("true");
    assertStillServes();
  }

  @Test
  void sendsNothingForAThreadThatIsInterruptedAlready() {
    Thread.currentThread().interrupt();
    assertFails(
        ErrorCode.CANCELLED,
        () -> connection.send(Connection.Call.of(FrameType.PING, text("x"), soon())));
    assertThat(Thread.interrupted()).isTrue();
    assertStillServes();
  }

  @Test
  void refusesFramesAboveTheLimitsBeforeSendingAnything() {
    ByteBuffer large = ByteBuffer.allocateDirect(Limits.FRAME_BODY_BYTES_MAX);
    assertFails(
        ErrorCode.TOO_LARGE,
        () ->
            connection.send(
                new Connection.Call(
                    TestHandlers.SINK,
                    ByteString.EMPTY,
                    List.of(large, random(1, 1)),
                    Connection.ReplyTarget.NONE,
                    soon())));
    assertFails(
        ErrorCode.TOO_LARGE,
        () ->
            connection.send(
                Connection.Call.of(
                    FrameType.PING,
                    ByteString.copyFrom(new byte[Limits.FRAME_HEADER_BYTES_MAX + 1]),
                    soon())));
    assertStillServes();
  }

  @Test
  void endsTheConnectionWhenTheMemoryOfAPayloadIsFreedInTheMiddleOfAFrame() {
    ByteBuffer freed;
    try (Arena arena = Arena.ofShared()) {
      freed = arena.allocate(1000).asByteBuffer();
    }
    List<ByteBuffer> body = List.of(ByteBuffer.allocateDirect(1000), freed);
    assertFails(
        ErrorCode.CONNECTION_LOST,
        () ->
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    ByteString.EMPTY,
                    body,
                    (h, n) -> ByteBuffer.allocate(n),
                    soon())));
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void turnsAnAnswerThatIsNoFrameIntoAnError() {
    assertFails(
        ErrorCode.INTERNAL,
        () ->
            connection.call(
                Connection.Call.of(TestHandlers.HUGE_ANSWER, ByteString.EMPTY, soon())));
    assertStillServes();
  }

  @Test
  void failsWhatIsUnansweredWhenTheConnectionIsClosed() {
    Connection.PendingReply waiting =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
    connection.close();
    assertFails(ErrorCode.CONNECTION_LOST, waiting::await);
    assertThat(connection.isOpen()).isFalse();
    assertFails(
        ErrorCode.CONNECTION_LOST,
        () -> connection.send(Connection.Call.of(FrameType.PING, text("x"), soon())));
    connection.close();
  }

  @Test
  void failsWhatIsUnansweredWhenTheServerCloses() throws Exception {
    Connection.PendingReply waiting =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
    handlers.awaitBlocked(1);
    Thread closer = Thread.ofVirtual().start(listener::close);
    assertFails(ErrorCode.CONNECTION_LOST, waiting::await);
    handlers.releaseAll();
    closer.join();
    assertFails(
        ErrorCode.UNAVAILABLE, () -> transport.connect(listener.endpoint(), CLIENT, soon()));
  }

  @Test
  void waitsForRunningHandlersWhenItCloses() throws Exception {
    connection.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
    handlers.awaitBlocked(1);
    Thread closer = Thread.ofVirtual().start(listener::close);
    assertThat(closer.join(Duration.ofMillis(50))).isFalse();
    handlers.releaseAll();
    closer.join();
    assertThat(handlers.blocked()).isZero();
    listener.close();
  }

  @Test
  void refusesAClientOfAnotherClusterAndTellsItWhy() {
    assertThatThrownBy(
            () ->
                transport.connect(
                    listener.endpoint(), new Transport.Identity("green", "client"), soon()))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.WRONG_CLUSTER);
              assertThat(e.getMessage()).contains("green").contains("blue").contains("master/m1");
            });
    assertStillServes();
  }

  @Test
  void acceptsAClientThatNamesNoCluster() {
    try (Connection anyone =
        transport.connect(listener.endpoint(), new Transport.Identity("", "client"), soon())) {
      assertThat(anyone.peer()).isEqualTo(SERVER);
    }
  }

  @Test
  void namesTheAddressThatIsTaken() {
    assertThatThrownBy(
            () -> transport.listen(listener.endpoint(), SERVER, HandlerTable.builder().build()))
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_IN_USE);
              assertThat(e.getMessage()).contains(listener.endpoint().toString());
            });
  }

  @Test
  void handlesNoMoreRequestsOfAConnectionThanItsBound() throws Exception {
    WireOptions.Bounds bounds = new WireOptions.Bounds(4, 10, 3, 100, 1 << 20);
    try (Transport.Listener narrow = listenWith(bounds);
        Connection client = transport.connect(narrow.endpoint(), CLIENT, soon())) {
      List<Connection.PendingReply> replies = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        replies.add(client.send(Connection.Call.of(TestHandlers.BLOCK, text("" + i), soon())));
      }
      handlers.awaitBlocked(3);
      assertThat(handlers.blockedMax()).isEqualTo(3);
      handlers.releaseAll();
      for (int i = 0; i < 10; i++) {
        assertThat(replies.get(i).await().header()).isEqualTo(text("" + i));
      }
      assertThat(handlers.blockedMax()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void refusesRequestsWhileTheServerHoldsTooManyBytes() throws Exception {
    WireOptions.Bounds bounds = new WireOptions.Bounds(4, 10, 100, 100, 10_000);
    try (Transport.Listener narrow = listenWith(bounds);
        Connection first = transport.connect(narrow.endpoint(), CLIENT, soon());
        Connection second = transport.connect(narrow.endpoint(), CLIENT, soon())) {
      Connection.PendingReply holder = first.send(blockingWrite(9_000, soon()));
      handlers.awaitBlocked(1);
      // The caller's clock stands still, so it waits until the server has given up.
      Deadline soonOver = Deadline.after(new FakeTicker(), Duration.ofMillis(80));
      assertThatThrownBy(() -> second.call(blockingWrite(2_000, soonOver)))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageContaining("waited for memory");
      assertThat(handlers.opened()).isEqualTo(1);
      handlers.releaseAll();
      holder.await();
      second.call(blockingWrite(20_000, soon()));
      assertThat(handlers.opened()).isEqualTo(2);
      TestHandlers.awaitThat(() -> handlers.opened() == handlers.closed());
    }
  }

  @Test
  void refusesMoreUnansweredCallsThanItsBound() {
    WireOptions.Bounds bounds = new WireOptions.Bounds(4, 10, 100, 5, 10_000);
    Transport narrow = transport(WireOptions.standard(Ticker.system()).with(bounds));
    try (Transport.Listener server = narrow.listen(anyAddress(), SERVER, handlers.table());
        Connection client = narrow.connect(server.endpoint(), CLIENT, soon())) {
      for (int i = 0; i < 5; i++) {
        client.send(Connection.Call.of(TestHandlers.BLOCK, text("x"), soon()));
      }
      assertFails(
          ErrorCode.OVERLOADED,
          () -> client.send(Connection.Call.of(FrameType.PING, text("x"), soon())));
      handlers.releaseAll();
    }
  }

  private static Connection.Call blockingWrite(int bytes, Deadline deadline) {
    return new Connection.Call(
        TestHandlers.BLOCK,
        ByteString.EMPTY,
        List.of(random(bytes, 1)),
        Connection.ReplyTarget.NONE,
        deadline);
  }

  /// A listener on this test's own transport network with narrower bounds; the in-memory network is
  /// per instance, so the transport is replaced as well.
  private Transport.Listener listenWith(WireOptions.Bounds bounds) {
    connection.close();
    listener.close();
    transport = transport(WireOptions.standard(Ticker.system()).with(bounds));
    return transport.listen(anyAddress(), SERVER, handlers.table());
  }

  private void assertStillServes() {
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
