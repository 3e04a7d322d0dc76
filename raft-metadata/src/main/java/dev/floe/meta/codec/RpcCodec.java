package dev.floe.meta.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectKey;
import dev.floe.proto.log.ReplyMessage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the metadata service's messages (`meta_rpc.proto`) do otherwise than the log with the
/// pieces that both share (`ModelCodec`).
///
/// A peer of another release is no damage: what this release does not know is a
/// `PROTOCOL_VIOLATION` that names it, fields that it does not know are passed over, and an error
/// code that it does not know reads as `INTERNAL`.
final class RpcCodec {
  private RpcCodec() {}

  /// Reads a message.
  ///
  /// @throws FloeException `PROTOCOL_VIOLATION` when the bytes are not one
  static <M extends Message> M parse(Parser<M> parser, ByteString bytes) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION, "a header of " + bytes.size() + " bytes is malformed", e);
    }
  }

  /// @throws FloeException `INVALID_KEY` when the bytes are not a key
  static ObjectKey key(ByteString bytes) {
    return ObjectKey.ofUtf8(bytes.toByteArray());
  }

  static ByteString bytes(ObjectKey key) {
    return ByteString.copyFrom(key.toUtf8());
  }

  static MetadataReply decode(ReplyMessage message) {
    if (message.hasFailed()) {
      return new MetadataReply.Failed(
          ErrorCode.ofNumber(message.getFailed().getCode()),
          message.getFailed().getMessage(),
          message.getFailed().getRetryAfterMillis());
    }
    return onWire(() -> ModelCodec.decode(message));
  }

  /// Decodes a shared piece.
  ///
  /// @throws FloeException `PROTOCOL_VIOLATION` for what this release does not know or no record can
  ///     hold, the model's own codes otherwise
  static <T> T onWire(Supplier<T> decoder) {
    try {
      return decoder.get();
    } catch (FloeException e) {
      throw e.code() == ErrorCode.VERSION_MISMATCH ? violation(e.getMessage(), e) : e;
    } catch (IllegalArgumentException e) {
      throw violation(String.valueOf(e.getMessage()), e);
    }
  }

  static FloeException unknown(String what) {
    return violation("the other side sent " + what, null);
  }

  private static FloeException violation(String what, @Nullable Exception cause) {
    return new FloeException(
        ErrorCode.PROTOCOL_VIOLATION, what + "; are both sides of the same release?", cause);
  }
}
