package dev.floe.meta.command;

import java.util.List;

/// One Raft entry: commands that are applied in order, each with its own reply.
///
/// @param leaderTerm the Raft term of the leadership that put the batch together; what it decided
///     alone (`MetadataCommand.isDecidedByLeader`) is applied in an entry of this term only.
///     `NO_TERM` in what clients submit, and in entries from before there were terms in them, which
///     are applied in any
/// @param leaderTimeMillis wall-clock time of the leader that proposed it; apply never lets time go
///     backwards
public record CommandBatch(long leaderTerm, long leaderTimeMillis, List<SessionCommand> commands) {
  /// Nobody's decisions; Raft's terms begin at 1.
  public static final long NO_TERM = 0;

  public CommandBatch {
    commands = List.copyOf(commands);
  }

  /// Commands that no leader has looked at.
  public CommandBatch(long leaderTimeMillis, List<SessionCommand> commands) {
    this(NO_TERM, leaderTimeMillis, commands);
  }

  /// Whether it was put together in another leadership than the one whose entry it became: between
  /// a leader's own check and the log its thread may stand still, and the node lead again when it
  /// goes on.
  public boolean isOfAnotherTermThan(long entryTerm) {
    return leaderTerm != NO_TERM && leaderTerm != entryTerm;
  }
}
