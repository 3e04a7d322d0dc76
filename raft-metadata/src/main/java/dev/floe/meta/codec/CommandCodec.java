package dev.floe.meta.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.SessionId;
import dev.floe.proto.log.CommandMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The log entry of the metadata plane (`log.proto`), which is also what clients submit.
///
/// Encoding is deterministic: equal batches have equal bytes. Decoding throws a `FloeException`: in a
/// log entry that is fatal for the node, in a client's request it is the answer.
///
/// | code | meaning |
/// |---|---|
/// | `VERSION_MISMATCH` | another format version, a command or a field that this release does not know |
/// | `PROTOCOL_VIOLATION` | not a batch at all |
/// | `INVALID_KEY`, `INVALID_ARGUMENT` | a value that no command can hold |
public final class CommandCodec {
  /// The only version so far.
  static final int FORMAT_VERSION = 1;

  /// Tag and length of a command within its batch.
  private static final int FRAMING_BYTES = 4;

  private CommandCodec() {}

  /// The entry's bytes.
  public static ByteString encode(CommandBatch batch) {
    dev.floe.proto.log.CommandBatch.Builder message =
        dev.floe.proto.log.CommandBatch.newBuilder()
            .setFormatVersion(FORMAT_VERSION)
            .setLeaderTerm(batch.leaderTerm())
            .setLeaderTimeMillis(batch.leaderTimeMillis());
    for (SessionCommand command : batch.commands()) {
      message.addCommands(encode(command));
    }
    return message.build().toByteString();
  }

  /// About how many bytes the command takes in an entry, for a batcher that keeps to a limit.
  public static int encodedBytes(SessionCommand command) {
    return encode(command).getSerializedSize() + FRAMING_BYTES;
  }

  /// The batch in an entry.
  public static CommandBatch decode(ByteString bytes) {
    try {
      return decode(dev.floe.proto.log.CommandBatch.parseFrom(bytes), bytes.size());
    } catch (InvalidProtocolBufferException e) {
      throw malformed(bytes.size(), e);
    }
  }

  /// The batch in an entry; the buffer's position is not moved.
  public static CommandBatch decode(ByteBuffer bytes) {
    try {
      return decode(
          dev.floe.proto.log.CommandBatch.parseFrom(bytes.duplicate()), bytes.remaining());
    } catch (InvalidProtocolBufferException e) {
      throw malformed(bytes.remaining(), e);
    }
  }

  private static FloeException malformed(int bytes, Exception cause) {
    return new FloeException(
        ErrorCode.PROTOCOL_VIOLATION, bytes + " bytes are not a batch of commands", cause);
  }

  private static CommandMessage encode(SessionCommand command) {
    CommandMessage.Builder message =
        CommandMessage.newBuilder()
            .setSequence(command.sequence())
            .setAnsweredBelow(command.answeredBelow());
    SessionId session = command.session();
    if (session != null) {
      message.setSession(ModelCodec.encode(session));
    }
    CommandEncoder.encode(command.command(), message);
    return message.build();
  }

  private static CommandBatch decode(dev.floe.proto.log.CommandBatch message, int bytes) {
    if (message.getFormatVersion() != FORMAT_VERSION) {
      throw new FloeException(
          ErrorCode.VERSION_MISMATCH,
          "a batch of "
              + bytes
              + " bytes has format version "
              + message.getFormatVersion()
              + ", this release knows "
              + FORMAT_VERSION
              + "; upgrade this node");
    }
    ModelCodec.known(message);
    List<SessionCommand> commands = new ArrayList<>(message.getCommandsCount());
    for (CommandMessage command : message.getCommandsList()) {
      ModelCodec.known(command);
      commands.add(
          new SessionCommand(
              command.hasSession() ? ModelCodec.decode(command.getSession()) : null,
              command.getSequence(),
              command.getAnsweredBelow(),
              CommandDecoder.decode(command)));
    }
    return new CommandBatch(message.getLeaderTerm(), message.getLeaderTimeMillis(), commands);
  }
}
