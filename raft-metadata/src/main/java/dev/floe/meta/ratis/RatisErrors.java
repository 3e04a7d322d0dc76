package dev.floe.meta.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.net.BindException;
import java.nio.channels.OverlappingFileLockException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.ratis.io.CorruptedFileException;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/// Turns what Ratis reports into the error table. Pure.
final class RatisErrors {
  private final RatisOptions options;
  private final Function<String, @Nullable String> endpoints;

  /// Before there is a log.
  RatisErrors(RatisOptions options) {
    this(options, node -> null);
  }

  /// @param endpoints where clients reach a master; null for unknown
  RatisErrors(RatisOptions options, Function<String, @Nullable String> endpoints) {
    this.options = options;
    this.endpoints = endpoints;
  }

  /// Not the leader; names the leader when it is known and not this node itself.
  FloeException notLeader(@Nullable String leaderNode) {
    String endpoint =
        leaderNode == null || leaderNode.equals(options.node())
            ? null
            : endpoints.apply(leaderNode);
    if (leaderNode == null || endpoint == null) {
      return new FloeException(
          ErrorCode.NOT_LEADER,
          "master "
              + options.node()
              + " does not lead and knows no leader; ask another master or retry");
    }
    return new FloeException(
        ErrorCode.NOT_LEADER,
        "master " + options.node() + " does not lead; ask " + leaderNode + " at " + endpoint,
        Map.of("leader", endpoint, "leaderNode", leaderNode),
        null);
  }

  /// Why a read failed.
  FloeException ofRead(Throwable thrown) {
    Throwable error = unwrap(thrown);
    if (error instanceof NotLeaderException notLeader) {
      return notLeader(leaderOf(notLeader));
    }
    return new FloeException(
        ErrorCode.UNAVAILABLE,
        "master " + options.node() + " cannot confirm that it leads; retry: " + error,
        error);
  }

  /// Why a proposal failed.
  ///
  /// @param mayBeInLog whether it got as far as the log
  FloeException ofWrite(Throwable thrown, boolean mayBeInLog) {
    Throwable error = unwrap(thrown);
    if (mayBeInLog) {
      return new FloeException(
          ErrorCode.UNKNOWN_OUTCOME,
          "leadership was lost while the entry was being replicated: it may be applied later; "
              + error,
          error);
    }
    if (error instanceof NotLeaderException notLeader) {
      return notLeader(leaderOf(notLeader));
    }
    if (error instanceof LeaderNotReadyException || error instanceof LeaderSteppingDownException) {
      return new FloeException(
          ErrorCode.UNAVAILABLE,
          "master " + options.node() + " is taking over or handing over the lead; retry",
          error);
    }
    if (error instanceof ResourceUnavailableException) {
      return new FloeException(
          ErrorCode.OVERLOADED,
          "master " + options.node() + " has too many entries under way; retry later",
          error);
    }
    return new FloeException(
        ErrorCode.UNAVAILABLE, "master " + options.node() + " took no entry: " + error, error);
  }

  /// Why a start failed.
  FloeException ofStart(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof FloeException floe) {
        return floe;
      }
      if (t instanceof BindException) {
        return addressInUse(t);
      }
      if (t instanceof OverlappingFileLockException) {
        return new FloeException(
            ErrorCode.DIRECTORY_IN_USE,
            "the Raft directory " + options.directory() + " is in use by another master",
            thrown);
      }
      if (t instanceof CorruptedFileException
          || t instanceof org.apache.ratis.protocol.exceptions.ChecksumException
          || t instanceof InvalidProtocolBufferException) {
        return new FloeException(
            ErrorCode.CORRUPT,
            "the Raft log in "
                + options.groupDirectory()
                + " is damaged ("
                + t.getMessage()
                + "); add this master again with an empty directory and a new id",
            thrown);
      }
      if (String.valueOf(t.getMessage()).contains("NO_SPACE")) {
        return noSpace(options.directory().toFile().getFreeSpace(), thrown);
      }
    }
    return new FloeException(
        ErrorCode.DIRECTORY_UNUSABLE,
        "master "
            + options.node()
            + " cannot open its Raft log in "
            + options.directory()
            + ": "
            + thrown,
        thrown);
  }

  /// Too little room for the log.
  FloeException noSpace(long freeBytes, @Nullable Throwable cause) {
    return new FloeException(
        ErrorCode.DIRECTORY_UNUSABLE,
        freeBytes
            + " bytes are free for the Raft log in "
            + options.directory()
            + ", at least "
            + options.storage().freeSpaceMinBytes()
            + " are wanted: free some space, give another directory or lower free-space-min",
        cause);
  }

  /// The Raft port is taken.
  FloeException addressInUse(Throwable cause) {
    return new FloeException(
        ErrorCode.ADDRESS_IN_USE,
        "the Raft address "
            + options.self().raftEndpoint()
            + " of master "
            + options.node()
            + " cannot be bound ("
            + cause.getMessage()
            + "); is it running already?",
        cause);
  }

  private static @Nullable String leaderOf(NotLeaderException e) {
    return Optional.ofNullable(e.getSuggestedLeader())
        .map(p -> p.getId())
        .map(RaftPeerId::toString)
        .orElse(null);
  }

  /// What was at the bottom of it, such as "No space left on device", for people.
  static String rootReason(Throwable thrown) {
    Throwable root = thrown;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      root = t;
    }
    return root instanceof IOException io ? IoReason.of(io) : root.toString();
  }

  static Throwable unwrap(Throwable thrown) {
    Throwable error = thrown;
    while ((error instanceof CompletionException || error instanceof ExecutionException)
        && error.getCause() != null) {
      error = error.getCause();
    }
    return error;
  }
}
