package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Done;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.table.ObjectTable;
import dev.floe.meta.state.table.SegmentSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The whole replicated state of one node. Hard state.
///
/// `apply` is pure, total and deterministic: the same entries give the same replies and the same
/// state on every node, and every command in every state gets a reply. What a client can get wrong
/// is a `Failed` reply; an exception from `apply` means a broken invariant, and the process must
/// stop rather than go on with a state that its peers do not share.
///
/// - Time is the leader's, from the entries, and never goes back.
/// - What looks like chance comes from an entry's index and a command's place in it.
/// - A command in a session has its effect once (`SessionTable`). Opening and closing bypass that
///   table: every opening makes a session of its own, closing again changes nothing. The leader's
///   own commands are refused in a session.
///
/// One thread calls `apply`, `digest` and `capture`; any thread may read through `MetadataView`.
public final class MetadataState implements MetadataView {
  private final StateParts parts;
  private final RuntimeCommands runtimeCommands;
  private final WriteCommands writeCommands;
  private final EvictCommand evictCommand;
  private final RouteDrops drops;
  private final DigestHistory digests;
  private volatile Published published;

  /// An empty state.
  public MetadataState(StateConfig config) {
    this(config, DigestMismatchListener.NONE);
  }

  /// An empty state that reports digests that differ from the leader's.
  public MetadataState(StateConfig config, DigestMismatchListener listener) {
    this(new StateParts(), config, listener);
  }

  MetadataState(StateParts parts, StateConfig config, DigestMismatchListener listener) {
    this.parts = parts;
    drops = new RouteDrops(parts, config);
    runtimeCommands = new RuntimeCommands(parts, drops);
    writeCommands = new WriteCommands(parts, config, drops);
    evictCommand = new EvictCommand(parts, drops);
    digests = new DigestHistory(listener);
    published = published();
    digests.record(parts.appliedIndex, parts.digest());
  }

  /// Applies one entry. One thread only.
  ///
  /// When the batch is of another leadership than the entry, what its leader decided is refused
  /// with `NOT_LEADER`, changes nothing, takes no place in the session table, and its time does not
  /// count; the other commands are applied.
  ///
  /// @param term the entry's Raft term
  /// @param index the entry's Raft index; grows with every call
  /// @return one reply for each command, in order
  public List<MetadataReply> apply(long term, long index, CommandBatch batch) {
    if (index <= parts.appliedIndex) {
      throw new IllegalArgumentException(
          "entry " + index + " after entry " + parts.appliedIndex + " was applied");
    }
    parts.appliedIndex = index;
    boolean isFenced = batch.isOfAnotherTermThan(term);
    if (!isFenced) {
      parts.timeMillis = Math.max(parts.timeMillis, batch.leaderTimeMillis());
    }
    List<MetadataReply> replies = new ArrayList<>(batch.commands().size());
    for (SessionCommand command : batch.commands()) {
      replies.add(
          isFenced && command.command().isDecidedByLeader()
              ? fenced(batch.leaderTerm(), term)
              : applyOnce(new ApplyContext(index, replies.size(), parts.timeMillis), command));
    }
    digests.record(index, parts.digest());
    published = published();
    return replies;
  }

  /// A digest of the whole state after the last applied entry: equal states have equal digests.
  /// O(1). On the applying thread.
  public long digest() {
    return parts.digest();
  }

  /// The state as it is now, for a snapshot to be written by another thread while this one goes on
  /// applying. On the applying thread; close the capture as soon as it was written.
  public StateCapture capture() {
    return new StateCapture(parts);
  }

  private static Failed fenced(long decided, long applied) {
    return new Failed(
        ErrorCode.NOT_LEADER,
        "the leader of term "
            + decided
            + " decided this, and the entry is of term "
            + applied
            + "; nothing was done, send it again");
  }

  private MetadataReply applyOnce(ApplyContext context, SessionCommand command) {
    SessionId session = command.session();
    boolean bypassesTable =
        command.command() instanceof MetadataCommand.OpenSession
            || command.command() instanceof MetadataCommand.CloseSession;
    if (session == null || bypassesTable) {
      return dispatch(context, session, command.command());
    }
    MetadataReply known = parts.sessions.admit(command, session, context.index());
    if (known != null) {
      return known;
    }
    MetadataReply reply =
        command.command() instanceof MetadataCommand.Leader
            ? new Failed(
                ErrorCode.INVALID_ARGUMENT,
                "only the leader proposes a "
                    + command.command().getClass().getSimpleName()
                    + ", never a client session")
            : dispatch(context, session, command.command());
    parts.sessions.answered(session, command.sequence(), reply);
    return reply;
  }

  private MetadataReply dispatch(
      ApplyContext context, @Nullable SessionId session, MetadataCommand command) {
    return switch (command) {
      case MetadataCommand.OpenSession open ->
          parts.sessions.open(open.nonce(), context.index(), context.ordinal());
      case MetadataCommand.CloseSession close -> {
        drops.closeSession(close.session());
        yield Done.INSTANCE;
      }
      case MetadataCommand.RegisterRuntime register -> runtimeCommands.register(register);
      case MetadataCommand.MountSegment mount -> runtimeCommands.mount(mount);
      case MetadataCommand.UnmountSegment unmount -> runtimeCommands.unmount(unmount);
      case MetadataCommand.PutStart start -> writeCommands.putStart(context, session, start);
      case MetadataCommand.PutEnd end -> writeCommands.putEnd(context, end);
      case MetadataCommand.PutRevoke revoke -> writeCommands.putRevoke(revoke);
      case MetadataCommand.Remove remove -> writeCommands.remove(remove);
      case MetadataCommand.Barrier _ -> Done.INSTANCE;
      case MetadataCommand.SuspectRuntimes suspect ->
          runtimeCommands.move(suspect.runtimes(), RuntimeState.ALIVE, RuntimeState.SUSPECTED);
      case MetadataCommand.ReviveRuntimes revive ->
          runtimeCommands.move(revive.runtimes(), RuntimeState.SUSPECTED, RuntimeState.ALIVE);
      case MetadataCommand.ExpireRuntimes expire -> runtimeCommands.expire(expire.runtimes());
      case MetadataCommand.Evict evict -> evictCommand.apply(context, evict);
      case MetadataCommand.ExpireSessions expire -> expireSessions(expire);
      case MetadataCommand.Tick tick -> tick(context, tick);
    };
  }

  private MetadataReply expireSessions(MetadataCommand.ExpireSessions command) {
    for (SessionId session : command.sessions()) {
      if (parts.sessions.isIdleSince(session, command.seenIndex())) {
        drops.expireSession(session);
      }
    }
    return Done.INSTANCE;
  }

  private MetadataReply tick(ApplyContext context, MetadataCommand.Tick command) {
    digests.compare(command.digestIndex(), command.digest());
    drops.releaseDue(context.nowMillis(), Limits.RELEASES_PER_TICK_MAX);
    return Done.INSTANCE;
  }

  @Override
  public long appliedIndex() {
    return published.index();
  }

  @Override
  public long appliedTimeMillis() {
    return published.timeMillis();
  }

  @Override
  public @Nullable ObjectRoute route(ObjectId id) {
    return parts.objects.get(id);
  }

  @Override
  public List<ObjectRoute> list(
      TenantId tenant, String prefix, @Nullable ObjectKey after, int limit) {
    return parts.objects.list(tenant, prefix, after, limit);
  }

  @Override
  public int shards() {
    return ObjectTable.SHARDS;
  }

  @Override
  public void forEachRouteOf(int shard, Consumer<ObjectRoute> visitor) {
    parts.objects.forEachOf(shard, visitor);
  }

  @Override
  public List<ObjectId> groupWith(ObjectRoute route) {
    return parts.objects.indexes().groups().membersWith(route);
  }

  @Override
  public @Nullable RuntimeRecord runtime(RuntimeId id) {
    return parts.runtimes.get(id);
  }

  @Override
  public List<RuntimeRecord> runtimes() {
    return parts.runtimes.list();
  }

  @Override
  public @Nullable Segment segment(SegmentId id) {
    SegmentSlot slot = parts.segments.get(id);
    return slot == null ? null : slot.segment();
  }

  @Override
  public List<SegmentUsage> segments() {
    return parts.segments.usages();
  }

  @Override
  public boolean hasSession(SessionId id) {
    return parts.sessions.contains(id);
  }

  @Override
  public List<SessionId> sessions() {
    return parts.sessions.list();
  }

  @Override
  public Totals totals() {
    return published.totals();
  }

  private Published published() {
    return new Published(parts.appliedIndex, parts.timeMillis, parts.totals());
  }

  /// What readers see of the numbers that change with every entry.
  private record Published(long index, long timeMillis, Totals totals) {}
}
