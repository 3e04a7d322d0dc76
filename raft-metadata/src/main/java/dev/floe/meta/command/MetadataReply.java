package dev.floe.meta.command;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import java.util.List;
import java.util.Map;

/// What `apply` answers to a command.
public sealed interface MetadataReply {
  /// The command took effect, or had before.
  record Done() implements MetadataReply {
    public static final Done INSTANCE = new Done();
  }

  /// The new session's id: no session had it before, none will have it again.
  record SessionOpened(SessionId session) implements MetadataReply {}

  /// The runtime's epoch from now on.
  record RuntimeRegistered(long epoch) implements MetadataReply {}

  /// The segment's number.
  record SegmentMounted(SegmentId segment) implements MetadataReply {}

  /// Where to write: one target for each replica, in the order of their ids.
  record PutStarted(RouteVersion version, List<ReplicaTarget> targets) implements MetadataReply {
    public PutStarted {
      targets = List.copyOf(targets);
    }
  }

  /// What eviction took away.
  ///
  /// @param objects that lost their memory replicas
  /// @param bytes of the ranges that they held
  record Evicted(int objects, long bytes) implements MetadataReply {}

  /// An expected error; nothing was changed.
  ///
  /// @param message cut to `Limits.REPLY_MESSAGE_CHARS_MAX` characters
  /// @param retryAfterMillis after how long the same command may get another answer, when that is
  ///     known; otherwise 0
  record Failed(ErrorCode code, String message, long retryAfterMillis) implements MetadataReply {
    /// In the context of the exception: `retryAfterMillis`, when it is known.
    public static final String RETRY_AFTER_MILLIS = "retryAfterMillis";

    public Failed {
      message = cut(message);
    }

    public Failed(ErrorCode code, String message) {
      this(code, message, 0);
    }

    /// Never within a surrogate pair, half of which would come back from a snapshot as another
    /// text.
    private static String cut(String message) {
      int max = Limits.REPLY_MESSAGE_CHARS_MAX;
      if (message.length() <= max) {
        return message;
      }
      return message.substring(
          0, Character.isHighSurrogate(message.charAt(max - 1)) ? max - 1 : max);
    }

    public FloeException toException() {
      return retryAfterMillis > 0
          ? new FloeException(
              code, message, Map.of(RETRY_AFTER_MILLIS, Long.toString(retryAfterMillis)), null)
          : new FloeException(code, message);
    }
  }

  /// A replica and the data endpoint of the runtime that holds it.
  record ReplicaTarget(Replica replica, Endpoint endpoint) {}
}
