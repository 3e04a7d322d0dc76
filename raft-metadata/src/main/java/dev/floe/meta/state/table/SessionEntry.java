package dev.floe.meta.state.table;

import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.SessionId;
import org.jspecify.annotations.Nullable;

/// One session's place in the exactly-once table. Hard state; on the applying thread.
///
/// Keeps its part of the digest, so that a change costs the hash of what changed.
public final class SessionEntry {
  final SessionId id;

  /// The capture epoch in which this entry was made.
  final long epoch;

  private long lastSeenIndex;
  private long answeredBelow;
  private long headHash;
  private final ReplyWindow replies;

  SessionEntry(SessionId id, long epoch, long lastSeenIndex, long answeredBelow) {
    this.id = id;
    this.epoch = epoch;
    this.lastSeenIndex = lastSeenIndex;
    this.answeredBelow = answeredBelow;
    headHash = RecordHash.sessionHead(id, lastSeenIndex, answeredBelow);
    replies = new ReplyWindow();
  }

  SessionEntry(SessionEntry other, long epoch) {
    id = other.id;
    this.epoch = epoch;
    lastSeenIndex = other.lastSeenIndex;
    answeredBelow = other.answeredBelow;
    headHash = other.headHash;
    replies = new ReplyWindow(other.replies);
  }

  /// Whose entry it is.
  public SessionId id() {
    return id;
  }

  long lastSeenIndex() {
    return lastSeenIndex;
  }

  long answeredBelow() {
    return answeredBelow;
  }

  @Nullable MetadataReply reply(long sequence) {
    return replies.get(sequence);
  }

  /// Notes a command in entry `index` whose client has all replies below `floor`; a floor below the
  /// one that is known changes nothing.
  ///
  /// @return by how much the digest changes
  long seen(long index, long floor) {
    long before = headHash;
    lastSeenIndex = index;
    long forgotten = 0;
    if (floor > answeredBelow) {
      answeredBelow = floor;
      forgotten = replies.forgetBelow(floor);
    }
    headHash = RecordHash.sessionHead(id, lastSeenIndex, answeredBelow);
    return headHash - before - forgotten;
  }

  /// Keeps a reply.
  ///
  /// @return by how much the digest changes
  long answered(long sequence, MetadataReply reply) {
    long hash = RecordHash.reply(id, sequence, reply);
    if (!replies.add(sequence, reply, hash)) {
      throw new IllegalStateException("sequence " + sequence + " of " + id + " ran twice");
    }
    return hash;
  }

  /// Head and replies. O(replies).
  long hash() {
    return headHash + replies.hash();
  }

  /// The session as a snapshot keeps it.
  public SessionRecord record() {
    return new SessionRecord(id, lastSeenIndex, answeredBelow, replies.toMap());
  }
}
