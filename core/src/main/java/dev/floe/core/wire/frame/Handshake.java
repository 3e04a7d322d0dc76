package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.Transport;
import dev.floe.proto.wire.ErrorHeader;
import dev.floe.proto.wire.Hello;
import java.util.Map;

/// The messages that are exchanged before requests, and errors as messages.
final class Handshake {
  private Handshake() {}

  /// What this side says of itself.
  static ByteString hello(Transport.Identity self) {
    return Hello.newBuilder()
        .setProtocolVersion(FrameCodec.PROTOCOL_VERSION)
        .setCluster(self.cluster())
        .setNode(self.node())
        .setSoftware(software())
        .build()
        .toByteString();
  }

  /// Judges what the other side said of itself.
  ///
  /// @throws FloeException `VERSION_MISMATCH`, `WRONG_CLUSTER` or `PROTOCOL_VIOLATION`
  static Transport.Identity judge(ByteString message, Transport.Identity self) {
    Hello hello;
    try {
      hello = Hello.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION, "a HELLO of " + message.size() + " bytes is malformed", e);
    }
    if (hello.getProtocolVersion() != FrameCodec.PROTOCOL_VERSION) {
      throw new FloeException(
          ErrorCode.VERSION_MISMATCH,
          named(hello)
              + " speaks protocol version "
              + hello.getProtocolVersion()
              + ", "
              + self.node()
              + " speaks "
              + FrameCodec.PROTOCOL_VERSION
              + ": run the same release on both sides");
    }
    String cluster = hello.getCluster();
    if (!cluster.isEmpty() && !self.cluster().isEmpty() && !cluster.equals(self.cluster())) {
      throw new FloeException(
          ErrorCode.WRONG_CLUSTER,
          named(hello)
              + " belongs to cluster '"
              + cluster
              + "' but "
              + self.node()
              + " belongs to cluster '"
              + self.cluster()
              + "': check the addresses and the cluster names in both configurations");
    }
    return new Transport.Identity(cluster, hello.getNode());
  }

  /// Refuses a first frame that cannot be a `HELLO` before its message is read.
  static void checkFirst(FrameHeader head) {
    if (head.type() != FrameType.HELLO
        || head.message().bytes() > Limits.HELLO_BYTES_MAX
        || head.bodyBytes() > 0) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION,
          String.format(
              "the first frame must be a HELLO of at most %d bytes but is %s of type 0x%04x with %d"
                  + " + %d bytes",
              Limits.HELLO_BYTES_MAX,
              head.kind(),
              head.type(),
              head.message().bytes(),
              head.bodyBytes()));
    }
  }

  /// An error as the protobuf header of an ERROR frame.
  static ByteString encode(FloeException error) {
    String text = error.getMessage();
    ErrorHeader.Builder header =
        ErrorHeader.newBuilder()
            .setCode(error.code().number())
            .setMessage(text.substring(0, Math.min(text.length(), Limits.ERROR_MESSAGE_CHARS_MAX)));
    int left = Limits.ERROR_MESSAGE_CHARS_MAX;
    for (Map.Entry<String, String> entry : error.context().entrySet()) {
      left -= entry.getKey().length() + entry.getValue().length();
      if (left < 0) {
        break;
      }
      header.putContext(entry.getKey(), entry.getValue());
    }
    return header.build().toByteString();
  }

  /// The error in the protobuf header of an ERROR frame.
  static FloeException decode(ByteString message) {
    try {
      ErrorHeader header = ErrorHeader.parseFrom(message);
      return new FloeException(
          ErrorCode.ofNumber(header.getCode()),
          header.getMessage(),
          header.getContextMap(),
          /* cause= */ null);
    } catch (InvalidProtocolBufferException e) {
      return new FloeException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an error reply of " + message.size() + " bytes is malformed",
          e);
    }
  }

  private static String named(Hello hello) {
    return hello.getNode().isEmpty() ? "the other side" : hello.getNode();
  }

  private static String software() {
    String version = Handshake.class.getPackage().getImplementationVersion();
    return "floe/" + (version == null ? "dev" : version);
  }
}
