package dev.floe.meta.state.table;

import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.SessionId;
import java.util.Collections;
import java.util.SortedMap;

/// A client session as snapshots keep it.
///
/// @param lastSeenIndex index of the last entry that had a command of it
/// @param answeredBelow the client has the replies of all sequences below this one
/// @param replies by sequence, none below `answeredBelow`
public record SessionRecord(
    SessionId id, long lastSeenIndex, long answeredBelow, SortedMap<Long, MetadataReply> replies) {
  public SessionRecord {
    replies = Collections.unmodifiableSortedMap(replies);
  }
}
