package dev.floe.sim.check;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.SessionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which sessions are open and what each of their commands was answered: the exactly-once rule.
///
/// The rule holds for ever: an id is given to one session only, a command takes effect once in it,
/// and after its end never.
final class SessionModel {
  private final Map<Key, MetadataReply> replies = new HashMap<>();
  private final Map<SessionId, Open> open = new HashMap<>();
  private final Set<SessionId> everOpened = new HashSet<>();
  private final Situations situations;

  private record Key(SessionId session, long sequence) {}

  private static final class Open {
    long lastUsedIndex;
    long answeredBelow;
    final Map<Long, MetadataReply> replies = new HashMap<>();
  }

  SessionModel(Situations situations) {
    this.situations = situations;
  }

  /// Judges a reply to a guarded command.
  ///
  /// @return whether the command took effect now, for the first time
  boolean judge(long index, SessionCommand command, MetadataReply reply) {
    SessionId session = command.session();
    boolean isRepeatable =
        command.command() instanceof MetadataCommand.OpenSession
            || command.command() instanceof MetadataCommand.CloseSession;
    if (session == null || isRepeatable) {
      return true;
    }
    Open state = open.get(session);
    if (state == null) {
      situations.hit(Situation.COMMAND_OF_ENDED_SESSION_REFUSED);
      Violation.unless(
          isFailed(reply, ErrorCode.SESSION_NOT_FOUND),
          Invariant.EXACTLY_ONCE,
          () -> "the session of " + command + " is not open, but the reply is " + reply);
      return false;
    }
    state.lastUsedIndex = index;
    MetadataReply before = state.replies.get(command.sequence());
    state.answeredBelow = Math.max(state.answeredBelow, command.answeredBelow());
    boolean isForgotten = command.sequence() < state.answeredBelow;
    if (before == null && !isForgotten) {
      if (isFailed(reply, ErrorCode.SESSION_WINDOW_FULL)) {
        return false;
      }
      state.replies.put(command.sequence(), reply);
      MetadataReply earlier = replies.put(new Key(session, command.sequence()), reply);
      Violation.unless(
          earlier == null,
          Invariant.EXACTLY_ONCE,
          () ->
              String.format(
                  "%s took effect again at index %d: %s, before %s",
                  command, index, reply, earlier));
      return true;
    }
    if (before != null && !isForgotten) {
      situations.hit(Situation.RETRY_ANSWERED_FROM_SESSION_TABLE);
    }
    Violation.unless(
        reply.equals(before) || (isForgotten && reply instanceof MetadataReply.Failed),
        Invariant.EXACTLY_ONCE,
        () ->
            String.format(
                "%s was answered %s before and %s at index %d%s",
                command, before, reply, index, isForgotten ? " though it counts as answered" : ""));
    return false;
  }

  void opened(long index, MetadataCommand.OpenSession command, MetadataReply reply) {
    if (!(reply instanceof MetadataReply.SessionOpened opened)) {
      throw new Violation(Invariant.COMMAND_SEMANTICS, command + " was answered " + reply);
    }
    Violation.unless(
        everOpened.add(opened.session()),
        Invariant.EXACTLY_ONCE,
        () -> command + " at index " + index + " opens a session that there was: " + reply);
    Open state = new Open();
    state.lastUsedIndex = index;
    open.put(opened.session(), state);
  }

  /// @return whether it was open
  boolean closed(SessionId session) {
    return open.remove(session) != null;
  }

  /// @return whether it was open, unused since `seenIndex`, and is ended now
  boolean expired(SessionId session, long seenIndex) {
    Open state = open.get(session);
    return state != null && state.lastUsedIndex <= seenIndex && closed(session);
  }

  boolean isOpen(SessionId session) {
    return open.containsKey(session);
  }

  List<SessionId> openSessions() {
    return List.copyOf(new TreeSet<>(open.keySet()));
  }

  /// What a command was answered when it took effect; null when it never did.
  @Nullable MetadataReply replyTo(SessionId session, long sequence) {
    return replies.get(new Key(session, sequence));
  }

  private static boolean isFailed(MetadataReply reply, ErrorCode code) {
    return reply instanceof MetadataReply.Failed failed && failed.code() == code;
  }
}
