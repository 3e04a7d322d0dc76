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
///
/// Safe for many threads. `MetaLogContractTest` says what every implementation must do.
public interface MetaLog extends AutoCloseable {
  /// Proposes a batch as one entry, without waiting for it.
  ///
  /// The listener is called exactly once: `applied` on the thread that applies, in the order of the
  /// log; `failed` on any thread, also on the caller's before this method returns. It must be quick
  /// and must not call the log. Batches proposed one after the other by one thread enter the log in
  /// that order.
  void propose(CommandBatch batch, ProposalListener listener);

  /// Runs `read` on this node's state when this node is known to be the leader and to have applied
  /// everything that was committed before the call. Many threads may read at once. What `read`
  /// throws reaches the caller unchanged.
  ///
  /// Leadership is confirmed by the leader's lease. With clocks whose rates differ beyond the
  /// lease's margin a deposed leader could answer once more; a caller that cannot bear this
  /// proposes a barrier first.
  ///
  /// @throws FloeException `NOT_LEADER` with the leader in its context when it is known,
  ///     `UNAVAILABLE` when leadership cannot be confirmed in time
  <T extends @Nullable Object> T read(Function<MetadataView, T> read, Deadline deadline);

  /// This node's own state, possibly behind the leader's; for admin listings that say so.
  MetadataView localView();

  /// The digest of this node's state after the last applied batch.
  AppliedDigest localDigest();

  /// This node's role as of now.
  Leadership leadership();

  /// The configured members as this node sees them, sorted by node id.
  List<Member> members();

  /// Calls back on every change of leadership, on a thread of its own, never concurrently; once at
  /// registration when this node leads already. A later call replaces the listener.
  void onLeadership(LeadershipListener listener);

  /// Stops taking part; idempotent. Outstanding proposals fail.
  @Override
  void close();

  /// What becomes of a proposed batch.
  interface ProposalListener {
    /// The entry was applied; one reply for each command, in order.
    void applied(long index, List<MetadataReply> replies);

    /// The entry was not proposed, or its fate is not known.
    ///
    /// @param error `UNKNOWN_OUTCOME`: perhaps applied, now or later; any other code
    ///     (`NOT_LEADER`, `OVERLOADED`, `UNAVAILABLE`, ...): certainly never applied
    void failed(FloeException error);
  }

  /// A digest and the index of the batch after which it was taken; index 0 before the first.
  record AppliedDigest(long index, long digest) {
    public static final AppliedDigest NONE = new AppliedDigest(0, 0);
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

  /// A configured member.
  ///
  /// @param endpoint where it serves metadata calls, `host:port`
  /// @param appliedIndexOrNull of this node: applied; of others: the index they are known to have
  ///     committed, when this node leads
  /// @param silentMillisOrNull of others, when this node leads: since they last answered it
  record Member(
      String node,
      String endpoint,
      boolean isLeader,
      @Nullable Long appliedIndexOrNull,
      @Nullable Long silentMillisOrNull) {}

  /// Told of changes of leadership. Both methods may take their time; later changes wait for them.
  interface LeadershipListener {
    /// This node leads `term` and may serve.
    void leaderReady(long term);

    /// This node no longer leads.
    void notLeader();
  }
}
