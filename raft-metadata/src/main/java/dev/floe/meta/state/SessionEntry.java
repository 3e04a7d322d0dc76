package dev.floe.meta.state;

import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.SessionId;
import java.util.Map;
import java.util.TreeMap;

/// One session's place in the exactly-once table. Hard state; on the applying thread.
final class SessionEntry {
  final SessionId id;

  /// The capture epoch in which this entry was made.
  final long epoch;

  long lastSeenIndex;
  long answeredBelow;
  final TreeMap<Long, MetadataReply> replies;

  SessionEntry(SessionId id, long epoch, long lastSeenIndex, long answeredBelow) {
    this.id = id;
    this.epoch = epoch;
    this.lastSeenIndex = lastSeenIndex;
    this.answeredBelow = answeredBelow;
    replies = new TreeMap<>();
  }

  SessionEntry(SessionEntry other, long epoch) {
    id = other.id;
    this.epoch = epoch;
    lastSeenIndex = other.lastSeenIndex;
    answeredBelow = other.answeredBelow;
    replies = new TreeMap<>(other.replies);
  }

  long headHash() {
    return RecordHash.sessionHead(id, lastSeenIndex, answeredBelow);
  }

  /// Head and replies. O(replies).
  long hash() {
    long sum = headHash();
    for (Map.Entry<Long, MetadataReply> reply : replies.entrySet()) {
      sum += RecordHash.reply(id, reply.getKey(), reply.getValue());
    }
    return sum;
  }

  SessionRecord record() {
    return new SessionRecord(id, lastSeenIndex, answeredBelow, replies);
  }
}
