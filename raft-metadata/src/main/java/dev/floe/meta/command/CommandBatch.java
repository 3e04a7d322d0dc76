package dev.floe.meta.command;

import java.util.List;

/// One Raft entry: commands that are applied in order, each with its own reply.
///
/// @param leaderTimeMillis wall-clock time of the leader that proposed it; apply never lets time go
///     backwards
public record CommandBatch(long leaderTimeMillis, List<SessionCommand> commands) {
  public CommandBatch {
    commands = List.copyOf(commands);
  }
}
