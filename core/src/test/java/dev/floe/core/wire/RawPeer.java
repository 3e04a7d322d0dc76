package dev.floe.core.wire;

import com.google.protobuf.ByteString;
import dev.floe.core.wire.frame.FrameCodec;
import dev.floe.core.wire.frame.FrameHeader;
import dev.floe.proto.wire.ErrorHeader;
import dev.floe.proto.wire.Hello;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/// The other side of a connection, played by hand: sends what it should not, or nothing.
final class RawPeer implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;

  RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    this.out = socket.getOutputStream();
    this.in = new DataInputStream(socket.getInputStream());
  }

  static RawPeer connect(Endpoint to) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(to.host(), to.port()), TIMEOUT_MILLIS);
    return new RawPeer(socket);
  }

  /// A whole fixed part of a frame whose message is `message`.
  static byte[] head(
      FrameHeader.Kind kind, int type, long requestId, ByteString message, int bodyBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(FrameHeader.BYTES);
    FrameCodec.encode(
        new FrameHeader(
            kind,
            type,
            requestId,
            new FrameHeader.Message(message.size(), FrameCodec.crcOf(message)),
            bodyBytes,
            0),
        bytes);
    return bytes.array();
  }

  RawPeer send(byte[] bytes) throws IOException {
    out.write(bytes);
    return this;
  }

  /// Sends fixed part and message; the payload is the caller's affair.
  RawPeer send(FrameHeader.Kind kind, int type, long requestId, ByteString message, int bodyBytes)
      throws IOException {
    return send(head(kind, type, requestId, message, bodyBytes)).send(message.toByteArray());
  }

  private static ByteString hello(Transport.Identity self) {
    return Hello.newBuilder()
        .setProtocolVersion(FrameCodec.PROTOCOL_VERSION)
        .setCluster(self.cluster())
        .setNode(self.node())
        .build()
        .toByteString();
  }

  /// Introduces itself as a client and takes the answer.
  RawPeer greet() throws IOException {
    ByteString hello = hello(TransportContractTest.CLIENT);
    send(FrameHeader.Kind.REQUEST, FrameType.HELLO, 0, hello, 0);
    take();
    return this;
  }

  /// Answers a client's `HELLO`.
  RawPeer welcome() throws IOException {
    take();
    ByteString hello = hello(TransportContractTest.SERVER);
    return send(FrameHeader.Kind.RESPONSE, FrameType.HELLO, 0, hello, 0);
  }

  /// Takes a whole frame and drops its payload.
  FrameHeader take() throws IOException {
    FrameHeader head = takeHead();
    in.readFully(new byte[head.message().bytes() + head.bodyBytes()]);
    return head;
  }

  ErrorHeader takeError() throws IOException {
    FrameHeader head = takeHead();
    byte[] message = new byte[head.message().bytes()];
    in.readFully(message);
    return ErrorHeader.parseFrom(message);
  }

  FrameHeader takeHead() throws IOException {
    byte[] bytes = new byte[FrameHeader.BYTES];
    in.readFully(bytes);
    return FrameCodec.decode(ByteBuffer.wrap(bytes));
  }

  /// Waits until the other side has ended the connection; bytes that still come are dropped.
  void awaitEnd() {
    byte[] scratch = new byte[4096];
    try {
      int count = in.read(scratch);
      while (count >= 0) {
        count = in.read(scratch);
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the connection was not ended", e);
    } catch (IOException e) {
      // A reset is an end as well.
    }
  }

  /// Ends the connection as a crashed host's successor would: with a reset.
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
