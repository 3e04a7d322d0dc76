package dev.floe.meta.rpc;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.leader.LeaderServices;
import dev.floe.meta.leader.LeaderTerm;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SessionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// From a client's batch to replies: checks, what the leader answers by itself, what it adds to
/// commands, and the batcher.
///
/// The second put of a key in one batch is answered here and never reaches the log
/// (`DUPLICATE_IN_BATCH`): it follows from the batch alone, so every copy of the batch gets the
/// same answer. The others keep their order. What depends on the leader's soft state (read leases)
/// is put into the command and decided by apply, after the session table was asked.
final class SubmitPath {
  private final MetaLog log;
  private final LeaderServices leader;

  SubmitPath(MetaLog log, LeaderServices leader) {
    this.log = log;
    this.leader = leader;
  }

  /// @throws FloeException `NOT_LEADER`, `TOO_LARGE`, `INVALID_ARGUMENT`, `OVERLOADED`,
  ///     `DEADLINE_EXCEEDED`, `UNAVAILABLE`: nothing was applied; `UNKNOWN_OUTCOME`
  List<MetadataReply> submit(List<SessionCommand> commands, Deadline deadline) {
    LeaderTerm term = leader.leading();
    checkBatch(commands);
    noteActivity(term, commands);
    @Nullable MetadataReply[] replies = new MetadataReply[commands.size()];
    List<SessionCommand> proposed = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    Set<ObjectId> started = new HashSet<>();
    for (int i = 0; i < commands.size(); i++) {
      replies[i] = answerBeforeLog(commands.get(i).command(), started);
      if (replies[i] == null) {
        proposed.add(decided(term, commands.get(i)));
        positions.add(i);
      }
    }
    List<MetadataReply> applied = term.submit(proposed, deadline);
    for (int i = 0; i < applied.size(); i++) {
      replies[positions.get(i)] = applied.get(i);
      noteRegistration(term, proposed.get(i).command(), applied.get(i));
      if (applied.get(i) instanceof MetadataReply.Failed failed
          && failed.code() == ErrorCode.NO_SPACE) {
        term.noteNoSpace();
      }
    }
    if (Probe.buggify("submit.reply-lost-after-apply")) {
      throw new FloeException(
          ErrorCode.UNKNOWN_OUTCOME, "the reply got lost after the commands were applied; retry");
    }
    return Arrays.stream(replies).map(Objects::requireNonNull).toList();
  }

  /// Waits for an entry of its own to be applied: everything committed before is visible then.
  void barrier(Deadline deadline) {
    List<SessionCommand> barrier = List.of(SessionCommand.unguarded(new MetadataCommand.Barrier()));
    var _ = leader.leading().submit(barrier, deadline);
  }

  private static void checkBatch(List<SessionCommand> commands) {
    if (commands.size() > Limits.BATCH_ITEMS_MAX) {
      throw new FloeException(
          ErrorCode.TOO_LARGE,
          commands.size()
              + " commands in one request, the limit is "
              + Limits.BATCH_ITEMS_MAX
              + "; send several requests");
    }
    for (SessionCommand command : commands) {
      if (!(command.command() instanceof MetadataCommand.Client client)) {
        throw new FloeException(
            ErrorCode.INVALID_ARGUMENT,
            "only the leader proposes " + command.command().getClass().getSimpleName());
      }
      checkSession(command, client);
    }
  }

  private static void checkSession(SessionCommand command, MetadataCommand.Client client) {
    boolean needsNone =
        switch (client) {
          case MetadataCommand.OpenSession c -> true;
          case MetadataCommand.CloseSession c -> true;
          case MetadataCommand.Barrier c -> true;
          case MetadataCommand.RegisterRuntime c -> true;
          case MetadataCommand.MountSegment c -> true;
          case MetadataCommand.UnmountSegment c -> true;
          case MetadataCommand.PutStart c -> false;
          case MetadataCommand.PutEnd c -> false;
          case MetadataCommand.PutRevoke c -> false;
          case MetadataCommand.Remove c -> false;
        };
    if (command.session() == null) {
      if (!needsNone) {
        throw new FloeException(
            ErrorCode.INVALID_ARGUMENT,
            client.getClass().getSimpleName() + " needs a session; open one first");
      }
      return;
    }
    if (command.sequence() < 1
        || command.answeredBelow() < 0
        || command.answeredBelow() > command.sequence()) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "sequence "
              + command.sequence()
              + " with answeredBelow "
              + command.answeredBelow()
              + ": sequences begin at 1 and are not answered before they are sent");
    }
  }

  /// A session that writes is alive.
  private void noteActivity(LeaderTerm term, List<SessionCommand> commands) {
    SessionId last = null;
    for (SessionCommand command : commands) {
      SessionId session = command.session();
      if (session != null && !session.equals(last) && log.localView().hasSession(session)) {
        term.sessions().renew(session);
        last = session;
      }
    }
  }

  private static @Nullable MetadataReply answerBeforeLog(
      MetadataCommand command, Set<ObjectId> started) {
    return switch (command) {
      case MetadataCommand.PutStart start ->
          started.add(start.id())
              ? null
              : new MetadataReply.Failed(
                  ErrorCode.DUPLICATE_IN_BATCH,
                  "object '" + start.id() + "' is put twice in one request; the first one counts");
      case MetadataCommand.PutEnd end -> forget(started, end.id());
      case MetadataCommand.PutRevoke revoke -> forget(started, revoke.id());
      case MetadataCommand.Remove remove -> forget(started, remove.id());
      default -> null;
    };
  }

  private static @Nullable MetadataReply forget(Set<ObjectId> started, ObjectId id) {
    started.remove(id);
    return null;
  }

  /// The command as the log gets it: with what only this leader knows. A removal that is refused
  /// for a lease is refused in the log, so a copy of it cannot have another outcome.
  private SessionCommand decided(LeaderTerm term, SessionCommand command) {
    MetadataCommand decided =
        switch (command.command()) {
          case MetadataCommand.Remove remove -> decided(term, remove);
          case MetadataCommand.RegisterRuntime register -> decided(term, register);
          default -> command.command();
        };
    return new SessionCommand(
        command.session(), command.sequence(), command.answeredBelow(), decided);
  }

  private MetadataCommand decided(LeaderTerm term, MetadataCommand.Remove remove) {
    ObjectId id = remove.id();
    long leasedMillis =
        remove.isForced() ? 0 : term.readLeases().remainingMillis(id, log.localView().route(id));
    return new MetadataCommand.Remove(id, remove.isForced(), leasedMillis);
  }

  private MetadataCommand decided(LeaderTerm term, MetadataCommand.RegisterRuntime register) {
    RuntimeRecord holder = log.localView().runtime(register.runtime());
    long leasedMillis =
        holder == null
            ? 0
            : term.runtimes().remainingMillis(new RuntimeEpoch(holder.id(), holder.epoch()));
    return new MetadataCommand.RegisterRuntime(
        register.runtime(),
        register.process(),
        register.dataEndpoint(),
        register.labels(),
        leasedMillis);
  }

  private static void noteRegistration(
      LeaderTerm term, MetadataCommand command, MetadataReply reply) {
    if (command instanceof MetadataCommand.RegisterRuntime register
        && reply instanceof MetadataReply.RuntimeRegistered registered) {
      term.runtimes().renew(new RuntimeEpoch(register.runtime(), registered.epoch()));
    }
  }
}
