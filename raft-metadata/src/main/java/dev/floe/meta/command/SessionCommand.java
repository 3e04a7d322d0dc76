package dev.floe.meta.command;

import dev.floe.meta.model.SessionId;
import org.jspecify.annotations.Nullable;

/// A command as it stands in the log: with the session that makes a retry apply once.
///
/// @param session null for the leader's own commands and for those that need no protection (opening
///     a session)
/// @param sequence 1, 2, 3, ... in the order the client made them; 0 without a session
/// @param answeredBelow the client has the replies of all sequences below this one, so they may be
///     forgotten; at most `sequence`
public record SessionCommand(
    @Nullable SessionId session, long sequence, long answeredBelow, MetadataCommand command) {
  /// A command outside any session.
  public static SessionCommand unguarded(MetadataCommand command) {
    return new SessionCommand(null, 0, 0, command);
  }
}
