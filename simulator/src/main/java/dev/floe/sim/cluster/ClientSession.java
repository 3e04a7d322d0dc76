package dev.floe.sim.cluster;

import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.SessionId;
import java.util.TreeSet;
import java.util.function.Supplier;

/// A client's side of an open session, under the id that the masters gave: gives out sequences and
/// knows which are answered. A command that was given up counts as answered: its caller was told
/// that the outcome is unknown.
final class ClientSession {
  private final SessionId id;
  private final TreeSet<Long> open = new TreeSet<>();
  private long next = 1;

  ClientSession(SessionId id) {
    this.id = id;
  }

  SessionId id() {
    return id;
  }

  long begin() {
    open.add(next);
    return next++;
  }

  void end(long sequence) {
    open.remove(sequence);
  }

  /// The command as each attempt sends it: always the same sequence, always the newest
  /// `answeredBelow`.
  Supplier<SessionCommand> guarded(long sequence, MetadataCommand.Client command) {
    return () -> new SessionCommand(id, sequence, open.isEmpty() ? next : open.first(), command);
  }
}
