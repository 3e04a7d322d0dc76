package dev.floe.meta.codec;

import com.google.protobuf.ByteString;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.SessionCommand;
import java.nio.ByteBuffer;

/// The log entry of the metadata plane.
@SuppressWarnings("DoNotCallSuggester")
public final class CommandCodec {
  private CommandCodec() {}

  /// The entry's bytes.
  public static ByteString encode(CommandBatch batch) {
    throw new UnsupportedOperationException();
  }

  /// About how many bytes the command takes in an entry, for a batcher that keeps to a limit.
  public static int encodedBytes(SessionCommand command) {
    throw new UnsupportedOperationException();
  }

  /// The batch in an entry.
  public static CommandBatch decode(ByteString bytes) {
    throw new UnsupportedOperationException();
  }

  /// The batch in an entry; the buffer's position is not moved.
  public static CommandBatch decode(ByteBuffer bytes) {
    throw new UnsupportedOperationException();
  }
}
