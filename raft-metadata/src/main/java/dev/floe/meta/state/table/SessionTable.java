package dev.floe.meta.state.table;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.MetadataReply.SessionOpened;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.place.StableHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The exactly-once table: for each client session the replies that its client may not have yet.
/// Hard state; written by the applying thread, membership read by any.
///
/// A command whose sequence has a reply is answered with that reply and has no effect. A sequence
/// below `answeredBelow` is a late copy of a command whose reply the client acknowledged; nobody
/// waits for its answer, and it fails with `INVALID_ARGUMENT`, which no client retries. Commands of
/// a session that has ended fail for ever, as its id is never given again. Replies that only say
/// "not now" (window full, session unknown) are not kept, so a retry can succeed.
public final class SessionTable {
  private static final int SHARDS = 64;

  private final CaptureEpochs epochs;
  private final AtomicReferenceArray<Shard> shards = new AtomicReferenceArray<>(SHARDS);
  private long count;
  private long digest;

  /// An empty table that copies what an open capture reads.
  public SessionTable(CaptureEpochs epochs) {
    this.epochs = epochs;
    for (int i = 0; i < SHARDS; i++) {
      shards.set(i, new Shard(epochs.current(), new ConcurrentHashMap<>()));
    }
  }

  /// Opens a session under an id that none had before: a late copy of an opening cannot bring a
  /// session back whose replies are forgotten.
  ///
  /// @param index of the entry that opens it
  /// @param ordinal the command's place in that entry
  public MetadataReply open(SessionId nonce, long index, int ordinal) {
    if (ordinal >= SessionId.PLACES_PER_ENTRY) {
      return new Failed(
          ErrorCode.TOO_LARGE,
          "a session cannot be opened by command "
              + ordinal
              + " of an entry, only by the first "
              + SessionId.PLACES_PER_ENTRY);
    }
    if (count >= Limits.SESSIONS_MAX) {
      return new Failed(
          ErrorCode.OVERLOADED,
          "there are "
              + count
              + " client sessions, the limit; close some or wait for dead ones to expire");
    }
    SessionId id = SessionId.opened(nonce, index, ordinal);
    add(new SessionEntry(id, epochs.current(), index, 1));
    return new SessionOpened(id);
  }

  /// Decides on a command before it runs.
  ///
  /// @return its reply when it must not run; null when it must, and then `answered` has to follow
  public @Nullable MetadataReply admit(SessionCommand command, SessionId id, long index) {
    SessionEntry entry = writable(id);
    if (entry == null) {
      Probe.sometimes("session.command-of-an-ended-session");
      return new Failed(
          ErrorCode.SESSION_NOT_FOUND,
          "session " + id + " is not open: it expired or was closed; open another one");
    }
    long sequence = command.sequence();
    if (sequence < 1 || command.answeredBelow() > sequence) {
      digest += entry.seen(index, 0);
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          "sequence "
              + sequence
              + " with answers below "
              + command.answeredBelow()
              + " makes no sense: sequences begin at 1 and a command is not answered before it ran");
    }
    digest += entry.seen(index, command.answeredBelow());
    if (sequence < entry.answeredBelow()) {
      Probe.sometimes("session.late-copy-refused");
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          "sequence "
              + sequence
              + " of session "
              + id
              + " was answered before, as all below "
              + entry.answeredBelow()
              + "; its reply is forgotten");
    }
    MetadataReply known = entry.reply(sequence);
    if (known != null) {
      Probe.sometimes("session.answered-from-table");
      return known;
    }
    if (sequence - entry.answeredBelow() >= Limits.SESSION_WINDOW_MAX) {
      return new Failed(
          ErrorCode.SESSION_WINDOW_FULL,
          "sequence "
              + sequence
              + " is "
              + Limits.SESSION_WINDOW_MAX
              + " or more past the oldest unanswered one, "
              + entry.answeredBelow()
              + "; wait for its reply");
    }
    return null;
  }

  /// Keeps the reply of a command that ran.
  public void answered(SessionId id, long sequence, MetadataReply reply) {
    SessionEntry entry = writable(id);
    if (entry == null) {
      throw new IllegalStateException("session " + id + " vanished while its command ran");
    }
    digest += entry.answered(sequence, reply);
  }

  /// Whether the session is open and had no command after `seenIndex`.
  public boolean isIdleSince(SessionId id, long seenIndex) {
    SessionEntry entry = shard(id).entries.get(id);
    return entry != null && entry.lastSeenIndex() <= seenIndex;
  }

  /// Ends a session; harmless when there is none.
  public void remove(SessionId id) {
    SessionEntry entry = writableShard(id).entries.remove(id);
    if (entry != null) {
      digest -= entry.hash();
      count--;
    }
  }

  /// Puts a session back as a snapshot kept it.
  public void restore(SessionRecord session) {
    SessionEntry entry =
        new SessionEntry(
            session.id(), epochs.current(), session.lastSeenIndex(), session.answeredBelow());
    session.replies().forEach(entry::answered);
    add(entry);
  }

  /// Safe for any thread.
  public boolean contains(SessionId id) {
    return shard(id).entries.containsKey(id);
  }

  /// All open sessions, by id; safe for any thread.
  public List<SessionId> list() {
    List<SessionId> ids = new ArrayList<>();
    for (int i = 0; i < SHARDS; i++) {
      ids.addAll(shards.get(i).entries.keySet());
    }
    ids.sort(null);
    return ids;
  }

  /// How many sessions are open.
  public long count() {
    return count;
  }

  /// The sessions' part of the state's digest.
  public long digest() {
    return digest;
  }

  /// The sessions as they are now; valid for another thread while the capture is open.
  public List<Map<SessionId, SessionEntry>> captured() {
    List<Map<SessionId, SessionEntry>> captured = new ArrayList<>(SHARDS);
    for (int i = 0; i < SHARDS; i++) {
      captured.add(shards.get(i).entries);
    }
    return captured;
  }

  private void add(SessionEntry entry) {
    if (writableShard(entry.id).entries.put(entry.id, entry) != null) {
      throw new IllegalStateException("session " + entry.id + " is there twice");
    }
    digest += entry.hash();
    count++;
  }

  private static int shardNumber(SessionId id) {
    return (int) (StableHash.add(id.high(), id.low()) & (SHARDS - 1));
  }

  private Shard shard(SessionId id) {
    return shards.get(shardNumber(id));
  }

  private Shard writableShard(SessionId id) {
    Shard shard = shard(id);
    if (epochs.isShared(shard.epoch)) {
      shard = new Shard(epochs.current(), new ConcurrentHashMap<>(shard.entries));
      shards.set(shardNumber(id), shard);
    }
    return shard;
  }

  private @Nullable SessionEntry writable(SessionId id) {
    SessionEntry entry = shard(id).entries.get(id);
    if (entry != null && epochs.isShared(entry.epoch)) {
      entry = new SessionEntry(entry, epochs.current());
      writableShard(id).entries.put(id, entry);
    }
    return entry;
  }

  private record Shard(long epoch, ConcurrentHashMap<SessionId, SessionEntry> entries) {}
}
