package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.frame.FrameHeader;
import dev.floe.core.wire.link.SocketTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a client does with servers that are broken, silent or slow.
@Timeout(120)
final class SocketClientFaultsIT {
  private static final byte POISON = 0x5A;
  private static final int BYTES = 1 << 20;

  private final SocketTransport transport = new SocketTransport(Ticker.system());
  private final FakeTicker callers = new FakeTicker();
  private ServerSocket port;

  @BeforeEach
  void start() throws IOException {
    port = new ServerSocket();
    // Small, so that a frame of 16 MB cannot hide in the buffers between the two sides.
    port.setReceiveBufferSize(64 * 1024);
    port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() throws IOException {
    port.close();
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

  private Connection connect(Deadline deadline) {
    return transport.connect(
        new Endpoint("127.0.0.1", port.getLocalPort()), TransportContractTest.CLIENT, deadline);
  }

  /// A client's end and the server's end of one connection.
  private record Ends(Connection client, RawPeer server) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private Ends open() throws IOException, InterruptedException, ExecutionException {
    CompletableFuture<Connection> client = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> client.complete(connect(TransportContractTest.soon())));
    RawPeer server = new RawPeer(port.accept()).welcome();
    return new Ends(client.get(), server);
  }

  private static Connection.Call read(ByteBuffer into, Deadline deadline) {
    return new Connection.Call(
        TestHandlers.SOURCE, ByteString.EMPTY, List.of(), (h, n) -> into, deadline);
  }

  private static Connection.Call write(int bytes, Deadline deadline) {
    return new Connection.Call(
        TestHandlers.SINK,
        ByteString.EMPTY,
        List.of(ByteBuffer.allocateDirect(bytes)),
        Connection.ReplyTarget.NONE,
        deadline);
  }

  private static void poison(ByteBuffer buffer) {
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, POISON);
    }
  }

  private static void assertPoisoned(ByteBuffer buffer) {
    for (int i = 0; i < buffer.capacity(); i++) {
      if (buffer.get(i) != POISON) {
        throw new AssertionError("byte " + i + " was written after the call had returned");
      }
    }
  }

  private static byte[] ones(int bytes) {
    byte[] ones = new byte[bytes];
    Arrays.fill(ones, (byte) 1);
    return ones;
  }

  private static void awaitUnchanged(ByteBuffer buffer, RawPeer server) {
    server.awaitEnd();
    assertPoisoned(buffer);
  }

  @Test
  void leavesTheBufferAloneAfterADeadlineInTheMiddleOfAPayload() throws Exception {
    try (Ends ends = open()) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      Connection.PendingReply reply = ends.client().send(read(buffer, untilCalledLate()));
      FrameHeader head = ends.server().take();
      ends.server()
          .send(
              FrameHeader.Kind.RESPONSE,
              TestHandlers.SOURCE,
              head.requestId(),
              ByteString.EMPTY,
              BYTES)
          .send(ones(BYTES / 2));
      TestHandlers.awaitThat(() -> buffer.get(BYTES / 4) == 1);
      callLate();
      TransportContractTest.assertFails(ErrorCode.DEADLINE_EXCEEDED, reply::await);
      poison(buffer);
      try {
        ends.server().send(new byte[BYTES / 2]);
      } catch (IOException e) {
        // The client has closed the connection: that is the point.
      }
      awaitUnchanged(buffer, ends.server());
      assertThat(ends.client().isOpen()).isFalse();
    }
  }

  @Test
  void leavesTheBufferAloneWhenTheWholeReplyComesLate() throws Exception {
    try (Ends ends = open()) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      Connection.PendingReply reply = ends.client().send(read(buffer, untilCalledLate()));
      FrameHeader late = ends.server().take();
      callLate();
      TransportContractTest.assertFails(ErrorCode.DEADLINE_EXCEEDED, reply::await);
      poison(buffer);
      ends.server()
          .send(
              FrameHeader.Kind.RESPONSE,
              TestHandlers.SOURCE,
              late.requestId(),
              ByteString.EMPTY,
              BYTES)
          .send(new byte[BYTES]);
      ByteBuffer next = ByteBuffer.allocateDirect(10);
      Connection.PendingReply second = ends.client().send(read(next, TransportContractTest.soon()));
      FrameHeader head = ends.server().take();
      ends.server()
          .send(
              FrameHeader.Kind.RESPONSE,
              TestHandlers.SOURCE,
              head.requestId(),
              ByteString.EMPTY,
              10)
          .send(new byte[10]);
      assertThat(second.await().bodyBytes()).isEqualTo(10);
      assertPoisoned(buffer);
    }
  }

  @Test
  void leavesTheBufferAloneAfterAnInterruptInTheMiddleOfAPayload() throws Exception {
    try (Ends ends = open()) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      Connection.PendingReply reply =
          ends.client().send(read(buffer, TransportContractTest.soon()));
      FrameHeader head = ends.server().take();
      ends.server()
          .send(
              FrameHeader.Kind.RESPONSE,
              TestHandlers.SOURCE,
              head.requestId(),
              ByteString.EMPTY,
              BYTES)
          .send(ones(BYTES / 2));
      TestHandlers.awaitThat(() -> buffer.get(BYTES / 4) == 1);
      Thread.currentThread().interrupt();
      TransportContractTest.assertFails(ErrorCode.CANCELLED, reply::await);
      assertThat(Thread.interrupted()).isTrue();
      poison(buffer);
      awaitUnchanged(buffer, ends.server());
    }
  }

  @Test
  void failsTheCallWhoseConnectionIsKilledInTheMiddleOfItsPayload() throws Exception {
    try (Ends ends = open()) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      Connection.PendingReply reading =
          ends.client().send(read(buffer, TransportContractTest.soon()));
      Connection.PendingReply other =
          ends.client().send(read(buffer, TransportContractTest.soon()));
      FrameHeader head = ends.server().take();
      ends.server()
          .send(
              FrameHeader.Kind.RESPONSE,
              TestHandlers.SOURCE,
              head.requestId(),
              ByteString.EMPTY,
              BYTES)
          .send(new byte[BYTES / 2]);
      ends.server().reset();
      TransportContractTest.assertFails(ErrorCode.CONNECTION_LOST, reading::await);
      TransportContractTest.assertFails(ErrorCode.CONNECTION_LOST, other::await);
      poison(buffer);
      assertPoisoned(buffer);
      assertThat(ends.client().isOpen()).isFalse();
    }
  }

  @Test
  void givesUpWritingToAServerThatDoesNotRead() throws Exception {
    try (Ends ends = open()) {
      TransportContractTest.assertFails(
          ErrorCode.DEADLINE_EXCEEDED,
          () -> {
            for (int i = 0; i < 10; i++) {
              ends.client().send(write(16_000_000, inMillis(500)));
            }
          });
      assertThat(ends.client().isOpen()).isFalse();
    }
  }

  @Test
  void givesUpWaitingForItsTurnToWriteWithoutEndingTheConnection() throws Exception {
    try (Ends ends = open()) {
      CompletableFuture<ErrorCode> stuck = new CompletableFuture<>();
      Thread writer = startWriting(ends.client(), stuck);
      ends.server().takeHead();
      TransportContractTest.assertFails(
          ErrorCode.DEADLINE_EXCEEDED,
          () ->
              ends.client()
                  .send(Connection.Call.of(FrameType.PING, ByteString.EMPTY, inMillis(50))));
      assertThat(ends.client().isOpen()).isTrue();
      ends.client().close();
      assertThat(stuck.get()).isEqualTo(ErrorCode.CONNECTION_LOST);
      writer.join();
    }
  }

  @Test
  void reportsAnInterruptInTheMiddleOfWritingAsCancelledAndEndsTheConnection() throws Exception {
    try (Ends ends = open()) {
      CompletableFuture<ErrorCode> stuck = new CompletableFuture<>();
      Thread writer = startWriting(ends.client(), stuck);
      ends.server().takeHead();
      writer.interrupt();
      assertThat(stuck.get()).isEqualTo(ErrorCode.CANCELLED);
      writer.join();
      assertThat(ends.client().isOpen()).isFalse();
    }
  }

  /// A thread that sends large frames until the server's buffers are full and it is stuck.
  private static Thread startWriting(Connection client, CompletableFuture<ErrorCode> outcome) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                for (int i = 0; i < 100; i++) {
                  client.send(write(16_000_000, TransportContractTest.soon()));
                }
                outcome.completeExceptionally(new AssertionError("nothing got stuck"));
              } catch (FloeException e) {
                outcome.complete(e.code());
              }
            });
  }

  @Test
  void skipsRepliesThatNobodyAsked() throws Exception {
    try (Ends ends = open()) {
      ends.server()
          .send(FrameHeader.Kind.RESPONSE, FrameType.PING, 999, ByteString.EMPTY, 20_000)
          .send(new byte[20_000]);
      Connection.PendingReply reply =
          ends.client()
              .send(
                  Connection.Call.of(
                      FrameType.PING, ByteString.EMPTY, TransportContractTest.soon()));
      FrameHeader head = ends.server().take();
      ends.server()
          .send(FrameHeader.Kind.RESPONSE, FrameType.PING, head.requestId(), ByteString.EMPTY, 0);
      assertThat(reply.await().bodyBytes()).isZero();
    }
  }

  @Test
  void endsAConnectionWhoseServerBreaksTheProtocol() throws Exception {
    try (Ends ends = open()) {
      Connection.PendingReply reply =
          ends.client()
              .send(
                  Connection.Call.of(
                      FrameType.PING, ByteString.EMPTY, TransportContractTest.soon()));
      FrameHeader head = ends.server().take();
      ends.server()
          .send(FrameHeader.Kind.RESPONSE, TestHandlers.WHO, head.requestId(), ByteString.EMPTY, 0);
      TransportContractTest.assertFails(ErrorCode.CONNECTION_LOST, reply::await);
      assertThat(ends.client().isOpen()).isFalse();
    }
  }

  @Test
  void namesAServerThatSpeaksSomethingElse() throws Exception {
    assertHandshakeFails(
        ErrorCode.PROTOCOL_VIOLATION,
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII));
    byte[] newer = RawPeer.head(FrameHeader.Kind.RESPONSE, FrameType.HELLO, 0, ByteString.EMPTY, 0);
    newer[4] = 2;
    assertHandshakeFails(ErrorCode.VERSION_MISMATCH, newer);
    assertHandshakeFails(ErrorCode.UNAVAILABLE, new byte[0]);
  }

  @Test
  void saysAtOnceWhatAServerSentThatSpeaksSomethingElse() throws Exception {
    assertForeign("HTTP/1.1 400 Bad Request\r\n", "it sent 'HTTP/1.1 400 Bad Request'; check");
    assertForeign("SSH-2.0-x\r\n", "it sent 'SSH-2.0-x'; check the address");
    assertForeign(
        "\0\0\6\4\0\0", "it sent an HTTP/2 greeting, as a master's port for other masters");
    assertForeign("\26\3\1\2", "it sent the bytes 16 03 01 02; check the address");
  }

  private void assertForeign(String greeting, String told) throws Exception {
    // It waits then for more, as servers do that greet first.
    Thread server =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (RawPeer peer = new RawPeer(port.accept())) {
                    peer.send(greeting.getBytes(StandardCharsets.ISO_8859_1));
                    peer.awaitEnd();
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    assertThatThrownBy(() -> connect(TransportContractTest.soon()))
        .hasMessageContaining("127.0.0.1:" + port.getLocalPort() + " does not speak Floe: ")
        .hasMessageContaining(told);
    server.join();
  }

  private void assertHandshakeFails(ErrorCode code, byte[] answer) throws Exception {
    Thread server =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (RawPeer peer = new RawPeer(port.accept())) {
                    peer.take();
                    peer.send(answer);
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    TransportContractTest.assertFails(code, () -> connect(TransportContractTest.soon()));
    server.join();
  }

  @Test
  void givesUpOnAServerThatAcceptsButNeverAnswers() {
    TransportContractTest.assertFails(ErrorCode.UNAVAILABLE, () -> connect(inMillis(300)));
  }

  @Test
  void namesAPortWhereNobodyListens() throws IOException {
    // Bound but not listening: no other process can take it meanwhile.
    try (Socket held = new Socket()) {
      held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Endpoint silent = new Endpoint("127.0.0.1", held.getLocalPort());
      TransportContractTest.assertFails(
          ErrorCode.UNAVAILABLE,
          () ->
              transport.connect(
                  silent, TransportContractTest.CLIENT, TransportContractTest.soon()));
    }
  }

  @Test
  void endsAConnectionWhoseServerStopsInTheMiddleOfAHeader() throws Exception {
    FakeTicker ticker = new FakeTicker();
    SocketTransport slow = new SocketTransport(WireOptions.standard(ticker));
    CompletableFuture<Connection> opened = new CompletableFuture<>();
    Endpoint address = new Endpoint("127.0.0.1", port.getLocalPort());
    Thread.ofVirtual()
        .start(
            () ->
                opened.complete(
                    slow.connect(
                        address, TransportContractTest.CLIENT, TransportContractTest.soon())));
    try (RawPeer server = new RawPeer(port.accept()).welcome();
        Connection client = opened.get()) {
      Connection.PendingReply reply =
          client.send(
              Connection.Call.of(FrameType.PING, ByteString.EMPTY, TransportContractTest.soon()));
      server.take();
      server.send(new byte[] {'F', 'L', 'O', 'E'});
      TestHandlers.awaitThat(
          () -> {
            ticker.advance(Duration.ofSeconds(31));
            return !client.isOpen();
          });
      TransportContractTest.assertFails(ErrorCode.CONNECTION_LOST, reply::await);
    }
  }

  @Test
  void connectsNowhereForAThreadThatIsInterrupted() {
    Thread.currentThread().interrupt();
    TransportContractTest.assertFails(
        ErrorCode.CANCELLED, () -> connect(TransportContractTest.soon()));
    assertThat(Thread.interrupted()).isTrue();
  }
}
