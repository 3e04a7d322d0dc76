package dev.floe.sim.cluster;

import java.util.List;

/// What the nodes of the model log say to each other.
sealed interface LogMessage {
  /// The sender's term.
  long term();

  /// Asks for a vote.
  record VoteRequest(long term, String candidate, long lastIndex, long lastTerm)
      implements LogMessage {}

  /// Answers a vote request.
  record VoteReply(long term, String voter, boolean isGranted) implements LogMessage {}

  /// Replicates entries after (previousIndex, previousTerm), or none as a heartbeat.
  record Append(
      long term,
      String leader,
      long previousIndex,
      long previousTerm,
      List<DurableLog.Entry> entries,
      long commitIndex,
      long sentNanos)
      implements LogMessage {
    public Append {
      entries = List.copyOf(entries);
    }
  }

  /// Answers `Append` and `Install`.
  ///
  /// @param matchIndex up to where the follower's log is the leader's; on refusal where to go on
  ///     from
  record AppendReply(long term, String follower, boolean isMatch, long matchIndex, long sentNanos)
      implements LogMessage {}

  /// Gives a follower a whole snapshot.
  record Install(long term, String leader, DurableLog.SnapshotFile snapshot, long sentNanos)
      implements LogMessage {}
}
