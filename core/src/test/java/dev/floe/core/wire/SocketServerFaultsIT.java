package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.frame.FrameHeader;
import dev.floe.core.wire.link.SocketListener;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.proto.wire.ErrorHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a server does with peers that are broken, hostile, slow or many.
@Timeout(120)
final class SocketServerFaultsIT {
  /// The server's clock: what is late is late because the test says so, never because the machine
  /// is busy.
  private final FakeTicker ticker = new FakeTicker();

  private final WireOptions options = WireOptions.standard(ticker);
  private final SocketTransport transport =
      new SocketTransport(WireOptions.standard(Ticker.system()));
  private final TestHandlers handlers = new TestHandlers();
  private SocketListener listener;
  private Connection bystander;

  @BeforeEach
  void start() {
    serve(options);
  }

  private void serve(WireOptions with) {
    listener =
        new SocketTransport(with)
            .listen(new Endpoint("127.0.0.1", 0), TransportContractTest.SERVER, handlers.table());
    bystander = connect();
  }

  /// Replaces the server by one with other options.
  private void serveInstead(WireOptions with) {
    bystander.close();
    listener.close();
    serve(with);
  }

  @AfterEach
  void stop() {
    handlers.releaseAll();
    bystander.close();
    listener.close();
    assertThat(handlers.opened()).as("every target is closed once").isEqualTo(handlers.closed());
    assertThat(listener.connectionCount()).as("no connection is left").isZero();
  }

  private Connection connect() {
    return transport.connect(
        listener.endpoint(), TransportContractTest.CLIENT, TransportContractTest.soon());
  }

  private void assertBystanderIsServed() {
    ping(bystander);
  }

  private static void ping(Connection connection) {
    ByteString text = ByteString.copyFromUtf8("ping");
    Connection.Reply reply =
        connection.call(Connection.Call.of(FrameType.PING, text, TransportContractTest.soon()));
    assertThat(reply.header()).isEqualTo(text);
  }

  @Test
  void endsConnectionsThatSendGarbageAndNoOther() throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 100; i++) {
      byte[] garbage = new byte[40 + random.nextInt(500)];
      random.nextBytes(garbage);
      try (RawPeer peer = RawPeer.connect(listener.endpoint())) {
        peer.send(garbage).awaitEnd();
      }
    }
    try (RawPeer peer = RawPeer.connect(listener.endpoint())) {
      peer.send(
              "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII))
          .awaitEnd();
    }
    assertThat(listener.refusedCount()).isEqualTo(101);
    assertBystanderIsServed();
  }

  @Test
  void endsAConnectionThatTurnsToGarbageAfterTheHandshake() throws IOException {
    try (RawPeer peer = RawPeer.connect(listener.endpoint()).greet()) {
      peer.send(new byte[40]).awaitEnd();
    }
    try (RawPeer peer = RawPeer.connect(listener.endpoint()).greet()) {
      peer.send(FrameHeader.Kind.RESPONSE, FrameType.PING, 1, ByteString.EMPTY, 0).awaitEnd();
    }
    assertThat(listener.refusedCount()).isEqualTo(2);
    assertBystanderIsServed();
  }

  @Test
  void endsAConnectionWhoseHeaderHasAWrongChecksum() throws IOException {
    try (RawPeer peer = RawPeer.connect(listener.endpoint()).greet()) {
      ByteString sent = ByteString.copyFromUtf8("abc");
      peer.send(RawPeer.head(FrameHeader.Kind.REQUEST, FrameType.PING, 1, sent, 0))
          .send("abd".getBytes(StandardCharsets.US_ASCII))
          .awaitEnd();
    }
    assertBystanderIsServed();
  }

  @Test
  void endsAConnectionThatAnnouncesMoreThanTheLimits() throws IOException {
    byte[] head = RawPeer.head(FrameHeader.Kind.REQUEST, FrameType.PING, 1, ByteString.EMPTY, 0);
    for (int offset : new int[] {19, 27, 31}) {
      byte[] large = Arrays.copyOf(head, head.length);
      large[offset] = 0x7F;
      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
      crc.update(large, 0, 36);
      ByteBuffer.wrap(large)
          .order(java.nio.ByteOrder.LITTLE_ENDIAN)
          .putInt(36, (int) crc.getValue());
      try (RawPeer peer = RawPeer.connect(listener.endpoint()).greet()) {
        peer.send(large).awaitEnd();
      }
    }
    assertThat(listener.refusedCount()).isEqualTo(3);
    assertBystanderIsServed();
  }

  @Test
  void refusesAnyFirstFrameButAHello() throws IOException {
    try (RawPeer peer = RawPeer.connect(listener.endpoint())) {
      peer.send(FrameHeader.Kind.REQUEST, FrameType.PING, 1, ByteString.EMPTY, 0).awaitEnd();
    }
    try (RawPeer peer = RawPeer.connect(listener.endpoint())) {
      ByteString huge = ByteString.copyFrom(new byte[1 << 20]);
      peer.send(RawPeer.head(FrameHeader.Kind.REQUEST, FrameType.HELLO, 1, huge, 0)).awaitEnd();
    }
    assertBystanderIsServed();
  }

  @Test
  void tellsAPeerOfAnotherVersionWhy() throws IOException {
    byte[] head = RawPeer.head(FrameHeader.Kind.REQUEST, FrameType.HELLO, 1, ByteString.EMPTY, 0);
    head[4] = 9;
    try (RawPeer peer = RawPeer.connect(listener.endpoint())) {
      ErrorHeader error = peer.send(head).send(new byte[100]).takeError();
      assertThat(error.getCode()).isEqualTo(ErrorCode.VERSION_MISMATCH.number());
      assertThat(error.getMessage()).contains("version 9").contains("speaks 1");
    }
    assertBystanderIsServed();
  }

  @Test
  void closesTheTargetOfAPayloadThatIsCutOff() throws IOException {
    for (int sent : new int[] {0, 1, 5_000, 99_999}) {
      try (RawPeer peer = RawPeer.connect(listener.endpoint()).greet()) {
        peer.send(FrameHeader.Kind.REQUEST, TestHandlers.SINK, 1, ByteString.EMPTY, 100_000)
            .send(new byte[sent]);
      }
    }
    RawPeer killed = RawPeer.connect(listener.endpoint()).greet();
    killed
        .send(FrameHeader.Kind.REQUEST, TestHandlers.SINK, 1, ByteString.EMPTY, 100_000)
        .send(new byte[50_000]);
    TestHandlers.awaitThat(() -> handlers.opened() == 5);
    killed.reset();
    TestHandlers.awaitThat(() -> handlers.closed() == 5);
    assertBystanderIsServed();
  }

  /// Moves the server's clock until the condition holds; the test's timeout bounds it.
  private void awaitAsTimePasses(int millis, BooleanSupplier condition) {
    TestHandlers.awaitThat(
        () -> {
          ticker.advance(Duration.ofMillis(millis + 1L));
          return condition.getAsBoolean();
        });
  }

  private void awaitEndAsTimePasses(int millis, RawPeer... peers) {
    AtomicInteger ended = new AtomicInteger();
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (RawPeer peer : peers) {
                    peer.awaitEnd();
                    ended.incrementAndGet();
                  }
                });
    awaitAsTimePasses(millis, () -> !reader.isAlive());
    assertThat(ended).as("connections that were ended").hasValue(peers.length);
  }

  @Test
  void endsAConnectionThatStopsInTheMiddleOfAHeader() throws IOException {
    byte[] head = RawPeer.head(FrameHeader.Kind.REQUEST, FrameType.PING, 1, ByteString.EMPTY, 0);
    try (RawPeer one = RawPeer.connect(listener.endpoint()).greet();
        RawPeer almost = RawPeer.connect(listener.endpoint()).greet()) {
      one.send(Arrays.copyOf(head, 1));
      almost.send(Arrays.copyOf(head, head.length - 1));
      awaitEndAsTimePasses(Limits.FRAME_MILLIS_MAX, one, almost);
    }
    assertThat(listener.refusedCount()).isEqualTo(2);
    assertBystanderIsServed();
  }

  @Test
  void endsAConnectionThatNeverSaysHello() throws IOException {
    try (RawPeer silent = RawPeer.connect(listener.endpoint());
        RawPeer slow = RawPeer.connect(listener.endpoint())) {
      slow.send(new byte[] {'F', 'L', 'O', 'E', 1});
      awaitEndAsTimePasses(Limits.HANDSHAKE_MILLIS_MAX, silent, slow);
    }
    assertThat(listener.refusedCount()).isEqualTo(2);
    assertBystanderIsServed();
  }

  @Test
  void letsAnIdleConnectionLive() throws Exception {
    ping(bystander);
    try (RawPeer silent = RawPeer.connect(listener.endpoint())) {
      awaitEndAsTimePasses(Limits.FRAME_MILLIS_MAX, silent);
    }
    // As long as the silent one had, and more: the idle one is still there.
    assertBystanderIsServed();
  }

  @Test
  void takesBackTheMemoryOfAPayloadThatStalls() throws IOException {
    WireOptions.Bounds bounds = new WireOptions.Bounds(8, 100, 10, 10, 100_000);
    serveInstead(options.with(bounds));
    try (RawPeer stalled = RawPeer.connect(listener.endpoint()).greet()) {
      stalled
          .send(FrameHeader.Kind.REQUEST, TestHandlers.SINK, 1, ByteString.EMPTY, 90_000)
          .send(new byte[10]);
      TestHandlers.awaitThat(() -> handlers.opened() == 1);
      awaitEndAsTimePasses(Limits.FRAME_MILLIS_MAX, stalled);
      assertThat(listener.refusedCount()).isEqualTo(1);
    }
    bystander.call(
        new Connection.Call(
            TestHandlers.SINK,
            ByteString.EMPTY,
            List.of(ByteBuffer.allocateDirect(90_000)),
            Connection.ReplyTarget.NONE,
            TransportContractTest.soon()));
    assertThat(handlers.opened()).isEqualTo(2);
  }

  @Test
  void cutsOffAPeerThatDoesNotReadItsAnswers() throws IOException {
    try (RawPeer deaf = RawPeer.connect(listener.endpoint()).greet()) {
      ByteString bytes = ByteString.copyFromUtf8("16000000");
      for (int i = 0; i < 4; i++) {
        deaf.send(FrameHeader.Kind.REQUEST, TestHandlers.SOURCE, i, bytes, 0);
      }
      awaitAsTimePasses(Limits.FRAME_MILLIS_MAX, () -> handlers.written() == 4);
      TestHandlers.awaitThat(() -> listener.connectionCount() == 1);
      assertBystanderIsServed();
    }
  }

  @Test
  void servesManyConnectionsBeyondThePlatformReaders() throws Exception {
    List<Connection> connections = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        connections.add(connect());
      }
      assertThat(listener.connectionCount()).isEqualTo(301);
      TransportContractTest.inParallel(
          4,
          caller -> {
            for (int i = caller; i < 300; i += 4) {
              ping(connections.get(i));
            }
          });
    } finally {
      connections.forEach(Connection::close);
    }
    TestHandlers.awaitThat(() -> listener.connectionCount() == 1);
  }

  @Test
  void refusesConnectionsBeyondItsBoundUntilOneEnds() {
    serveInstead(options.with(new WireOptions.Bounds(8, 3, 10, 10, 100_000)));
    Connection second = connect();
    Connection third = connect();
    TransportContractTest.assertFails(ErrorCode.UNAVAILABLE, this::connect);
    assertThat(listener.refusedCount()).isEqualTo(1);
    second.close();
    TestHandlers.awaitThat(() -> listener.connectionCount() == 2);
    connect().close();
    third.close();
  }

  @Test
  void freesItsPortWhenItCloses() {
    listener.close();
    listener = listenBelowOutgoingPorts();
    Endpoint endpoint = listener.endpoint();
    for (int i = 0; i < 50; i++) {
      bystander.close();
      bystander = connect();
      assertBystanderIsServed();
      listener.close();
      listener = transport.listen(endpoint, TransportContractTest.SERVER, handlers.table());
    }
    bystander = connect();
  }

  /// A port that no outgoing connection of another process is given while nobody listens on it.
  private SocketListener listenBelowOutgoingPorts() {
    Random random = new Random();
    while (true) {
      try {
        return transport.listen(
            new Endpoint("127.0.0.1", random.nextInt(10_000, 32_768)),
            TransportContractTest.SERVER,
            handlers.table());
      } catch (FloeException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_IN_USE);
      }
    }
  }

  @Test
  void namesAnAddressThatIsNotOfThisHost() {
    TransportContractTest.assertFails(
        ErrorCode.INVALID_CONFIG,
        () ->
            transport.listen(
                new Endpoint("203.0.113.1", 0), TransportContractTest.SERVER, handlers.table()));
  }
}
