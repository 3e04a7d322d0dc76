package dev.floe.meta.log;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.state.MetadataView;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A replicated log that applies command batches to this node's state.
public interface MetaLog extends AutoCloseable {
  /// Proposes a batch as one entry, without waiting. The listener is called exactly once, on a
  /// thread of the log, in the order of the log for entries of one leadership; it must be quick.
  void propose(CommandBatch batch, ProposalListener listener);

  /// Runs `read` on this node's state when this node is known to be the leader and to have applied everything that was
  /// committed before the call. Many threads may read at once; a read never waits for apply.
  ///
  /// @throws FloeException `NOT_LEADER` with the leader in its context when it is known, `UNAVAILABLE` when
  ///     leadership cannot be confirmed in time
  <T> T read(Function<MetadataView, T> read, Deadline deadline);

  /// This node's own state, possibly behind the leader's; for admin listings that say so.
  MetadataView localView();

  /// This node's role as of now.
  Leadership leadership();

  /// Calls back on every change of leadership, on a thread of its own, never concurrently.
  void onLeadership(LeadershipListener listener);

  @Override
  void close();

  /// What becomes of a proposed batch.
  interface ProposalListener {
    /// The entry was applied; one reply for each command, in order.
    void applied(long index, List<MetadataReply> replies);

    /// The entry was not proposed, or its fate is not known.
    ///
    /// @param error `NOT_LEADER` or `OVERLOADED`: certainly not applied; `UNKNOWN_OUTCOME`: perhaps
    ///     applied
    void failed(FloeException error);
  }

  /// Who leads.
  ///
  /// @param term the Raft term
  /// @param isLeaderReady whether this node leads and has applied all entries of earlier terms
  /// @param leaderNode the leader's node id when known
  /// @param leaderEndpoint where the leader serves metadata calls, `host:port`, when known
  record Leadership(
      long term,
      boolean isLeaderReady,
      @Nullable String leaderNode,
      @Nullable String leaderEndpoint) {}

  /// Told of changes of leadership.
  interface LeadershipListener {
    /// This node leads `term` and may serve.
    void leaderReady(long term);

    /// This node no longer leads.
    void notLeader();
  }
}
