package dev.floe.sim.cluster;

import com.google.protobuf.ByteString;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.state.MetadataView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// The production state with a bug planted before it: it rewrites commands so that production code
/// does the wrong thing, on every node alike unless the bug is a local one.
final class MutantState implements ReplicatedState {
  private final ReplicatedState below;
  private final Mutant mutant;
  private final LongSupplier wallClock;
  private final Map<Object, Long> sequences = new HashMap<>();
  private ByteString beforeLast;

  /// @param wallClock of this node
  MutantState(ReplicatedState below, Mutant mutant, LongSupplier wallClock) {
    this.below = below;
    this.mutant = mutant;
    this.wallClock = wallClock;
    this.beforeLast = ByteString.EMPTY;
  }

  @Override
  public List<MetadataReply> apply(long term, long index, CommandBatch batch) {
    if (mutant == Mutant.SNAPSHOT_LACKS_LAST_ENTRY) {
      beforeLast = below.snapshot();
    }
    if (mutant == Mutant.APPLY_READS_LOCAL_CLOCK) {
      return below.apply(
          term,
          index,
          new CommandBatch(batch.leaderTerm(), wallClock.getAsLong(), batch.commands()));
    }
    boolean isUnfenced = mutant == Mutant.DECISIONS_OUTLIVE_THEIR_TERM;
    return below.apply(
        term,
        index,
        new CommandBatch(
            isUnfenced ? CommandBatch.NO_TERM : batch.leaderTerm(),
            batch.leaderTimeMillis(),
            batch.commands().stream().map(this::change).toList()));
  }

  private SessionCommand change(SessionCommand entry) {
    return switch (mutant) {
      case PUT_END_IGNORES_TOKENS ->
          entry.command() instanceof MetadataCommand.PutEnd end
              ? with(
                  entry,
                  new MetadataCommand.PutEnd(
                      end.id(), current(end.id(), end.replicaIds()), end.checksum()))
              : entry;
      case PUT_REVOKE_IGNORES_TOKENS ->
          entry.command() instanceof MetadataCommand.PutRevoke revoke
              ? with(
                  entry,
                  new MetadataCommand.PutRevoke(
                      revoke.id(), current(revoke.id(), revoke.replicaIds())))
              : entry;
      case SESSION_DUPLICATE_APPLIED_AGAIN -> renumbered(entry);
      case QUARANTINE_FORGOTTEN ->
          entry.command() instanceof MetadataCommand.ExpireSessions expire
                  && !expire.sessions().isEmpty()
              ? with(entry, new MetadataCommand.CloseSession(expire.sessions().getFirst()))
              : entry;
      case APPLY_READS_LOCAL_CLOCK,
          SNAPSHOT_LACKS_LAST_ENTRY,
          RUNTIME_TAKES_STALE_WRITES,
          RUNTIME_SERVES_WRONG_TOKENS,
          LEADER_ANSWERS_BEFORE_COMMIT,
          RESTART_LOSES_LAST_ENTRY,
          READS_WITHOUT_LEADER_LEASE,
          DECISIONS_OUTLIVE_THEIR_TERM ->
          entry;
    };
  }

  private static SessionCommand with(SessionCommand entry, MetadataCommand command) {
    return new SessionCommand(entry.session(), entry.sequence(), entry.answeredBelow(), command);
  }

  private SessionCommand renumbered(SessionCommand entry) {
    if (entry.session() == null) {
      return entry;
    }
    long sequence = sequences.merge(entry.session(), 1L, Long::sum);
    return new SessionCommand(entry.session(), sequence, 1, entry.command());
  }

  private List<Long> current(ObjectId id, List<Long> named) {
    ObjectRoute route = below.view().route(id);
    return route == null ? named : route.replicas().stream().map(Replica::id).toList();
  }

  @Override
  public long digest() {
    return below.digest();
  }

  @Override
  public MetadataView view() {
    return below.view();
  }

  @Override
  public ByteString snapshot() {
    return mutant == Mutant.SNAPSHOT_LACKS_LAST_ENTRY ? beforeLast : below.snapshot();
  }
}
