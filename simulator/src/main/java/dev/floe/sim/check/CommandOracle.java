package dev.floe.sim.check;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.time.Ticker;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.MetadataView;
import dev.floe.meta.state.StateConfig;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks the replicated state against a second, much simpler one that knows only what the
/// commands' documentation says.
///
/// It is fed the entry, the replies and the state of the first node that applies an index; the
/// others are held to that node by `StateMachineSafetyOracle`.
public final class CommandOracle {
  private final Situations situations;
  private final SessionModel sessions;
  private final SpaceModel space = new SpaceModel();
  private final RuntimeModel runtimes;
  private final ObjectModel objects;
  private final Timeline timeline;
  private final Map<Long, Written> writtenByToken = new HashMap<>();
  private final Map<Object, Long> effectIndex = new HashMap<>();
  private long timeMillis;

  /// Who wrote the bytes under a token.
  ///
  /// @param sequence of the `PutStart` in its session
  public record Written(SessionId session, long sequence, ObjectId id) {}

  public CommandOracle(StateConfig config, Situations situations, Ticker ticker) {
    this.situations = situations;
    timeline = new Timeline(ticker);
    sessions = new SessionModel(situations);
    runtimes = new RuntimeModel(situations);
    objects = new ObjectModel(space, config, situations);
  }

  /// An entry of the log.
  ///
  /// @param term in which it got into the log
  public record Entry(long term, long index, CommandBatch batch) {
    /// Whether its leader's term had ended when it got there.
    boolean isLate() {
      return batch.leaderTerm() != 0 && batch.leaderTerm() != term;
    }

    /// Whether a command rests on what the leader of the batch alone knew.
    static boolean isDecision(MetadataCommand command) {
      return command instanceof MetadataCommand.Leader
          || (command instanceof MetadataCommand.Remove remove && !remove.isForced());
    }
  }

  /// An entry took effect.
  ///
  /// @param state after the entry
  public void applied(Entry entry, List<MetadataReply> replies, MetadataView state) {
    long index = entry.index();
    CommandBatch batch = entry.batch();
    if (batch.leaderTimeMillis() < timeMillis) {
      situations.hit(Situation.CLOCK_OF_LEADER_JUMPED_BACK);
    }
    if (!entry.isLate()) {
      timeMillis = Math.max(timeMillis, batch.leaderTimeMillis());
    }
    Violation.unless(
        state.appliedTimeMillis() == timeMillis,
        Invariant.TIME_GOES_BACK,
        () ->
            "time is " + state.appliedTimeMillis() + " at index " + index + ", not " + timeMillis);
    Violation.unless(
        replies.size() == batch.commands().size(),
        Invariant.COMMAND_SEMANTICS,
        () -> replies.size() + " replies to " + batch.commands().size() + " commands");
    Map<String, ObjectId> touched = new LinkedHashMap<>();
    for (int i = 0; i < replies.size(); i++) {
      SessionCommand command = batch.commands().get(i);
      if (entry.isLate() && Entry.isDecision(command.command())) {
        refused(command, replies.get(i));
        touch(command.command(), touched);
      } else if (sessions.judge(index, command, replies.get(i))) {
        if (command.session() != null) {
          effectIndex.putIfAbsent(List.of(command.session(), command.sequence()), index);
        }
        effect(index, command, replies.get(i), touched);
      } else {
        touch(command.command(), touched);
      }
    }
    touched.values().forEach(id -> compare(index, id, state));
    compareRuntimes(index, state);
  }

  private void refused(SessionCommand command, MetadataReply reply) {
    situations.hit(Situation.DECISION_OF_AN_EARLIER_TERM_REFUSED);
    Violation.unless(
        reply instanceof MetadataReply.Failed failed && failed.code() == ErrorCode.NOT_LEADER,
        Invariant.COMMAND_SEMANTICS,
        () -> command + " was decided in an earlier term, but was answered " + reply);
  }

  /// The readable versions of each key over the log.
  public Timeline timeline() {
    return timeline;
  }

  /// Who began the write of this token, or null when no node has applied it.
  public @Nullable Written writtenBy(long token) {
    return writtenByToken.get(token);
  }

  /// Whether the token is one of a write or an object that is there as of the last entry.
  public boolean isLive(long token) {
    Written written = writtenByToken.get(token);
    return written != null
        && (holds(objects.get(written.id()), token)
            || holds(objects.replacing(written.id()), token));
  }

  private static boolean holds(ObjectModel.@Nullable Held held, long token) {
    return held != null && held.replicas.stream().anyMatch(replica -> replica.id() == token);
  }

  /// What a session's command was answered when it took effect; null when it never did.
  public @Nullable MetadataReply replyTo(SessionId session, long sequence) {
    return sessions.replyTo(session, sequence);
  }

  /// The index at which a session's command took effect, or -1.
  public long effectIndex(SessionId session, long sequence) {
    return effectIndex.getOrDefault(List.of(session, sequence), -1L);
  }

  /// Compares everything there is, not only what the last entry touched.
  public void checkAll(MetadataView state) {
    long index = state.appliedIndex();
    for (ObjectModel.Held held : objects.all()) {
      compare(index, held.id, state);
    }
    long writing = objects.unfinished().size();
    MetadataView.Totals totals = state.totals();
    long active = objects.all().stream().filter(held -> held.isActive).count();
    Violation.unless(
        totals.objects() == active && totals.writing() == writing,
        Invariant.ACCOUNTING,
        () -> totals + " but there are " + objects.all().size() + " routes, readable " + active);
    long used = state.segments().stream().mapToLong(SegmentUsage::usedBytes).sum();
    Violation.unless(
        used == space.liveBytes() + totals.abandonedBytes() && used == totals.usedBytes(),
        Invariant.ACCOUNTING,
        () ->
            String.format(
                "allocators count %d bytes, routes hold %d, %s", used, space.liveBytes(), totals));
    Violation.unless(
        state.sessions().equals(sessions.openSessions()) || sameSessions(state),
        Invariant.COMMAND_SEMANTICS,
        () -> "open sessions are " + state.sessions() + ", not " + sessions.openSessions());
  }

  private boolean sameSessions(MetadataView state) {
    return state.sessions().size() == sessions.openSessions().size()
        && state.sessions().stream().allMatch(sessions::isOpen);
  }

  private void effect(
      long index, SessionCommand entry, MetadataReply reply, Map<String, ObjectId> touched) {
    touch(entry.command(), touched);
    ObjectModel.Asked asked = new ObjectModel.Asked(entry.session(), timeMillis);
    switch (entry.command()) {
      case MetadataCommand.OpenSession open -> sessions.opened(index, open, reply);
      case MetadataCommand.CloseSession close -> {
        if (sessions.closed(close.session())) {
          touchWrites(close.session(), touched);
          objects.endSession(close.session(), true);
        }
      }
      case MetadataCommand.RegisterRuntime register ->
          drop(index, runtimes.register(register, reply), touched);
      case MetadataCommand.MountSegment mount -> {
        SegmentId mounted = runtimes.mount(mount, reply);
        if (mounted != null) {
          space.mount(mounted, mount.capacityBytes());
        }
      }
      case MetadataCommand.UnmountSegment unmount -> {
        if (runtimes.unmount(unmount, reply)) {
          drop(index, List.of(unmount.segment()), touched);
        }
      }
      case MetadataCommand.PutStart start -> begun(entry, objects.putStart(start, asked, reply));
      case MetadataCommand.PutEnd end -> {
        ObjectModel.Held made = objects.putEnd(end, reply, timeMillis);
        if (made != null) {
          timeline.readable(made.id, index, made.version);
        }
      }
      case MetadataCommand.PutRevoke revoke -> objects.putRevoke(revoke, reply);
      case MetadataCommand.Remove remove -> {
        if (objects.remove(remove, reply) != null) {
          timeline.unreadable(remove.id(), index, false);
        }
      }
      case MetadataCommand.Barrier barrier -> done(barrier, reply);
      case MetadataCommand.SuspectRuntimes suspect -> suspect.runtimes().forEach(runtimes::suspect);
      case MetadataCommand.ReviveRuntimes revive -> revive.runtimes().forEach(runtimes::revive);
      case MetadataCommand.ExpireRuntimes expire ->
          expire.runtimes().forEach(named -> drop(index, runtimes.expire(named), touched));
      case MetadataCommand.Evict evict -> {
        for (ObjectModel.Held gone : objects.evict(evict, reply, timeMillis)) {
          touched.put(gone.id.toString(), gone.id);
          timeline.unreadable(gone.id, index, true);
        }
      }
      case MetadataCommand.ExpireSessions expire -> {
        for (SessionId session : expire.sessions()) {
          if (sessions.expired(session, expire.seenIndex())) {
            situations.hit(Situation.SESSION_EXPIRED);
            touchWrites(session, touched);
            objects.endSession(session, false);
          }
        }
      }
      case MetadataCommand.Tick tick -> {
        done(tick, reply);
        objects.release(timeMillis).forEach(held -> touched.put(held.id.toString(), held.id));
      }
    }
  }

  private void begun(SessionCommand entry, ObjectModel.@Nullable Held made) {
    SessionId session = entry.session();
    if (made != null && session != null) {
      for (Replica replica : made.replicas) {
        writtenByToken.put(replica.id(), new Written(session, entry.sequence(), made.id));
      }
    }
  }

  private static void done(MetadataCommand command, MetadataReply reply) {
    Violation.unless(
        reply instanceof MetadataReply.Done,
        Invariant.COMMAND_SEMANTICS,
        () -> command + " was answered " + reply);
  }

  private void drop(long index, List<SegmentId> segments, Map<String, ObjectId> touched) {
    for (SegmentId segment : segments) {
      for (ObjectModel.Held held : objects.all()) {
        touched.put(held.id.toString(), held.id);
      }
      for (ObjectModel.Held lost : objects.dropSegment(segment)) {
        timeline.unreadable(lost.id, index, true);
      }
    }
  }

  private void touchWrites(SessionId session, Map<String, ObjectId> touched) {
    for (ObjectModel.Held held : objects.unfinished()) {
      if (session.equals(held.writer)) {
        touched.put(held.id.toString(), held.id);
      }
    }
  }

  private static void touch(MetadataCommand command, Map<String, ObjectId> touched) {
    ObjectId id =
        switch (command) {
          case MetadataCommand.PutStart start -> start.id();
          case MetadataCommand.PutEnd end -> end.id();
          case MetadataCommand.PutRevoke revoke -> revoke.id();
          case MetadataCommand.Remove remove -> remove.id();
          case MetadataCommand.OpenSession ignored -> null;
          case MetadataCommand.CloseSession ignored -> null;
          case MetadataCommand.RegisterRuntime ignored -> null;
          case MetadataCommand.MountSegment ignored -> null;
          case MetadataCommand.UnmountSegment ignored -> null;
          case MetadataCommand.Barrier ignored -> null;
          case MetadataCommand.Leader ignored -> null;
        };
    if (id != null) {
      touched.put(id.toString(), id);
    }
  }

  private void compare(long index, ObjectId id, MetadataView state) {
    ObjectModel.Held held = objects.get(id);
    ObjectRoute route = state.route(id);
    boolean isNeitherThere = held == null && route == null;
    boolean isSame =
        isNeitherThere
            || (held != null && route != null && isSame(held, objects.replacing(id), route));
    Violation.unless(
        isSame,
        Invariant.COMMAND_SEMANTICS,
        () ->
            "after index "
                + index
                + " the route of "
                + id
                + " is "
                + route
                + ", but commands and replies say "
                + (held == null
                    ? "there is none"
                    : held.version + (held.isActive ? " ACTIVE " : " WRITING ") + held.replicas));
  }

  private static boolean isSame(
      ObjectModel.Held held, ObjectModel.@Nullable Held replacing, ObjectRoute route) {
    RouteState state = held.isActive ? RouteState.ACTIVE : RouteState.WRITING;
    ObjectVersion next = route.next();
    return route.state() == state
        && isSame(held, route.current())
        && (replacing == null ? next == null : next != null && isSame(replacing, next));
  }

  private static boolean isSame(ObjectModel.Held held, ObjectVersion version) {
    return version.write().version().equals(held.version)
        && version.content().sizeBytes() == held.sizeBytes
        && version.retention().group().equals(held.group)
        && version.retention().isHardPinned() == held.isHardPinned
        && version.retention().softPinnedUntilMillis() == held.softPinnedUntilMillis
        && tokens(version.replicas()).equals(tokens(held.replicas));
  }

  private static List<Long> tokens(List<Replica> replicas) {
    return replicas.stream().map(Replica::id).toList();
  }

  private void compareRuntimes(long index, MetadataView state) {
    List<RuntimeRecord> records = state.runtimes();
    boolean isSame = records.size() == runtimes.all().size();
    for (RuntimeRecord record : records) {
      RuntimeModel.Registered runtime = runtimes.get(record.id());
      isSame &=
          runtime != null
              && runtime.epoch == record.epoch()
              && runtime.state == record.state()
              && runtime.process.equals(record.process());
    }
    Violation.unless(
        isSame,
        Invariant.COMMAND_SEMANTICS,
        () ->
            "after index "
                + index
                + " the runtimes are "
                + records
                + ", not "
                + runtimes.all().keySet());
  }
}
