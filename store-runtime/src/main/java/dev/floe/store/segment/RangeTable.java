package dev.floe.store.segment;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.probe.Probe;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which write token filled which range of a segment, and who reads or writes there now. Soft state,
/// as old as the segment's memory.
///
/// The rules, on overlapping bytes:
///
/// - A write with a lower token than one seen before is refused: `STALE_TOKEN`.
/// - A write with a higher token takes the bytes over. From then on requests of older tokens are
///   refused, and those that are still on the bytes leave first: until then the new write is refused
///   with `WRITE_IN_PROGRESS`, and its client comes again after a pause. Nothing waits here, because
///   the caller is the reader of a connection. Those in the way cannot stay for ever: the transport
///   ends a request, payload and answer included, at its deadline.
/// - A read is allowed under the token that filled the range completely. Before that it gets
///   `NOT_READY`, under any other token `STALE_TOKEN`.
/// - A chunk is written by one request at a time. A chunk that is written stays: the same bytes again
///   get `ALREADY_EXISTS`, which a retrying writer takes for success, other bytes `INVALID_ARGUMENT`.
///
/// The table learns of nothing but reads and writes. The entry of a freed range stays until its
/// bytes are taken over, and one whose bytes are taken over in part goes as a whole. What it knew of
/// the rest is lost, which costs no safety: a late write there makes an entry of its own, which the
/// rightful owner's higher token takes over, or meets the owner's entry and is refused.
///
/// Tokens are believed. A client that invents one above all that the masters have issued keeps the
/// rightful owners off those bytes until the segment gets a new number; it cannot make anybody read
/// wrong bytes. Until requests are authorised the data port belongs in a network that is trusted.
///
/// The heap that the entries take is bounded by a `RangeBudget`: a write for which there is none is
/// refused with `NO_SPACE`.
///
/// Safe for many threads; one lock, held for a tree search.
public final class RangeTable {
  private final long capacityBytes;
  private final RangeBudget budget;
  private final Object lock = new Object();
  private final TreeMap<Long, RangeEntry> entries = new TreeMap<>();

  /// Taken over, yet with guards; new writes keep off their bytes.
  private final List<RangeEntry> leaving = new ArrayList<>();

  private long guards;
  private long staleTokens;
  private long refusedBusy;
  private @Nullable Runnable whenClosed;
  private boolean closed;

  /// A table that may take the whole share of the heap for itself.
  public RangeTable(long capacityBytes) {
    this(capacityBytes, RangeBudget.ofThisProcess());
  }

  /// @param budget what the tables of all segments of the runtime share
  public RangeTable(long capacityBytes, RangeBudget budget) {
    this.capacityBytes = capacityBytes;
    this.budget = budget;
  }

  /// Lets one chunk of a value be written: until the guard is closed the chunk's bytes are the
  /// caller's alone.
  ///
  /// @param chunkBytes size of every chunk of the value but the last
  /// @param from where the chunk starts within the value
  /// @param length bytes of the chunk
  /// @param checksum CRC32C of the chunk
  public WriteGuard beginWrite(
      TokenRange range, int chunkBytes, long from, long length, int checksum) {
    RangeChecks.checkWithin(range, capacityBytes);
    int chunks = RangeChecks.checkChunk(range, chunkBytes, from, length);
    synchronized (lock) {
      checkOpen();
      RangeEntry entry = entryToWrite(range, chunkBytes, chunks);
      int chunk = (int) (from / chunkBytes);
      if (entry.isWritten(chunk)) {
        throw alreadyWritten(entry, chunk, checksum);
      }
      if (entry.isWriting(chunk) || isBeingLeft(range)) {
        refusedBusy++;
        Probe.sometimes("store.write-waits-for-older-requests");
        throw new FloeException(
            ErrorCode.WRITE_IN_PROGRESS,
            "an earlier request is still on the bytes of " + range + "; try again after a pause");
      }
      entry.setWriting(chunk, true);
      enter(entry);
      return new WriteGuard(entry, chunk, checksum);
    }
  }

  /// Lets bytes of a value be read: until the guard is closed nobody writes them.
  public ReadGuard beginRead(TokenRange range, long from, long length) {
    RangeChecks.checkWithin(range, capacityBytes);
    RangeChecks.checkPart(range, from, length);
    synchronized (lock) {
      checkOpen();
      RangeEntry entry = entries.get(range.offset());
      if (entry == null || entry.range.token() != range.token()) {
        Probe.sometimes("store.read-with-another-token-refused");
        throw stale("this read", range, entry);
      }
      checkSame(entry, range);
      if (!entry.isComplete()) {
        throw new FloeException(
            ErrorCode.NOT_READY, range + " is still being written; try again after a pause");
      }
      enter(entry);
      int chunk = entry.chunkOf(from, length);
      return new ReadGuard(
          entry, chunk < 0 ? OptionalInt.empty() : OptionalInt.of(entry.checksum(chunk)));
    }
  }

  /// Forgets all tokens, as when the segment gets a new number; requests under way finish, and new
  /// writes keep off their bytes until then.
  public void forgetAll() {
    synchronized (lock) {
      if (!closed) {
        budget.release(heapBytes(entries.values()));
      }
      entries.values().forEach(this::retire);
      entries.clear();
    }
  }

  /// Refuses further requests with `SEGMENT_NOT_FOUND` and runs `whenIdle` once, when the last guard
  /// is closed, in the thread that closes it.
  public void close(Runnable whenIdle) {
    boolean idle;
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      budget.release(heapBytes(entries.values()));
      idle = guards == 0;
      whenClosed = idle ? null : whenIdle;
    }
    if (idle) {
      whenIdle.run();
    }
  }

  /// What the table holds and has refused.
  public Stats stats() {
    synchronized (lock) {
      return new Stats(entries.size(), guards, leaving.size(), staleTokens, refusedBusy);
    }
  }

  private RangeEntry entryToWrite(TokenRange range, int chunkBytes, int chunks) {
    RangeEntry same = entries.get(range.offset());
    if (same != null && same.range.token() == range.token()) {
      checkSame(same, range);
      if (same.chunkBytes != chunkBytes) {
        throw new FloeException(
            ErrorCode.INVALID_ARGUMENT,
            "chunks of "
                + chunkBytes
                + " bytes for "
                + range
                + ", whose first write had chunks of "
                + same.chunkBytes);
      }
      return same;
    }
    List<RangeEntry> older = overlapping(range);
    for (RangeEntry other : older) {
      if (other.range.token() > range.token()) {
        Probe.sometimes("store.write-with-a-lower-token-refused");
        throw stale("this write", range, other);
      }
      if (other.range.token() == range.token()) {
        throw new FloeException(
            ErrorCode.INVALID_ARGUMENT,
            range + " overlaps " + other.range + ": a token belongs to one range");
      }
    }
    if (!budget.tryExchange(heapBytes(older), RangeBudget.bytesOf(chunks))) {
      throw new FloeException(
          ErrorCode.NO_SPACE,
          range
              + " needs "
              + RangeBudget.bytesOf(chunks)
              + " bytes of heap, but the ranges of this store use "
              + budget.usedBytes()
              + " of "
              + budget.bytesMax()
              + "; raise -Xmx of the store, start more stores, or store larger values");
    }
    for (RangeEntry other : older) {
      entries.remove(other.range.offset());
      retire(other);
    }
    RangeEntry entry = new RangeEntry(range, chunkBytes, chunks);
    entries.put(range.offset(), entry);
    return entry;
  }

  private static long heapBytes(Collection<RangeEntry> some) {
    long bytes = 0;
    for (RangeEntry entry : some) {
      bytes += RangeBudget.bytesOf(entry.chunks);
    }
    return bytes;
  }

  private List<RangeEntry> overlapping(TokenRange range) {
    List<RangeEntry> found = new ArrayList<>();
    Map.Entry<Long, RangeEntry> before = entries.lowerEntry(range.offset());
    if (before != null && before.getValue().range.overlaps(range)) {
      found.add(before.getValue());
    }
    found.addAll(entries.subMap(range.offset(), range.end()).values());
    return found;
  }

  private boolean isBeingLeft(TokenRange range) {
    for (RangeEntry entry : leaving) {
      if (entry.range.overlaps(range)) {
        return true;
      }
    }
    return false;
  }

  private void retire(RangeEntry entry) {
    entry.supersede();
    if (entry.guards() > 0) {
      leaving.add(entry);
    }
  }

  private void enter(RangeEntry entry) {
    entry.guard();
    guards++;
  }

  private void leave(RangeEntry entry) {
    Runnable last = null;
    synchronized (lock) {
      if (entry.release() && entry.isSuperseded()) {
        leaving.remove(entry);
      }
      guards--;
      if (guards == 0 && whenClosed != null) {
        last = whenClosed;
        whenClosed = null;
      }
    }
    if (last != null) {
      last.run();
    }
  }

  private FloeException stale(String what, TokenRange range, @Nullable RangeEntry other) {
    staleTokens++;
    String why =
        other == null
            ? "nothing was written there under this token"
            : other.range.token() > range.token()
                ? "token " + other.range.token() + " took these bytes over"
                : "they were written under token " + other.range.token();
    return new FloeException(
        ErrorCode.STALE_TOKEN,
        what + " names " + range + ", but " + why + "; look the object up again");
  }

  private static FloeException alreadyWritten(RangeEntry entry, int chunk, int checksum) {
    if (entry.checksum(chunk) == checksum) {
      return new FloeException(
          ErrorCode.ALREADY_EXISTS, "chunk " + chunk + " of " + entry.range + " is written");
    }
    return new FloeException(
        ErrorCode.INVALID_ARGUMENT,
        "chunk " + chunk + " of " + entry.range + " is written and had other bytes");
  }

  private static void checkSame(RangeEntry entry, TokenRange range) {
    if (!entry.range.equals(range)) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          range
              + " with a value of "
              + range.objectBytes()
              + " bytes contradicts "
              + entry.range
              + " with a value of "
              + entry.range.objectBytes()
              + " bytes: the same token named another range before");
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new FloeException(
          ErrorCode.SEGMENT_NOT_FOUND, "the segment is closed; look the object up again");
    }
  }

  /// What a table holds and has refused.
  ///
  /// @param ranges entries, those of freed ranges included
  /// @param guards reads and writes under way
  /// @param leaving entries that were taken over and still have guards
  /// @param staleTokens requests refused because of their token
  /// @param refusedBusy writes refused because older requests were on their bytes
  public record Stats(long ranges, long guards, int leaving, long staleTokens, long refusedBusy) {}

  /// A chunk in the hands of the one request that fills it.
  public final class WriteGuard implements AutoCloseable {
    private final RangeEntry entry;
    private final int chunk;
    private final int checksum;
    private boolean released;

    private WriteGuard(RangeEntry entry, int chunk, int checksum) {
      this.entry = entry;
      this.chunk = chunk;
      this.checksum = checksum;
    }

    /// Marks the chunk as written; its bytes are in place and match their checksum.
    ///
    /// @return whether the whole value is written now
    /// @throws FloeException `STALE_TOKEN` when a higher token has come meanwhile
    public boolean commit() {
      synchronized (lock) {
        if (released) {
          throw new IllegalStateException("commit after close of a write to " + entry.range);
        }
        if (entry.isSuperseded()) {
          staleTokens++;
          throw new FloeException(
              ErrorCode.STALE_TOKEN, entry.range + " was taken over while it was being written");
        }
        entry.setWritten(chunk, checksum);
        return entry.isComplete();
      }
    }

    /// Leaves the chunk; without a commit it counts as not written.
    @Override
    public void close() {
      synchronized (lock) {
        if (released) {
          return;
        }
        released = true;
        entry.setWriting(chunk, false);
      }
      leave(entry);
    }
  }

  /// Bytes that stay as they are while this is open.
  public final class ReadGuard implements AutoCloseable {
    private final RangeEntry entry;
    private final OptionalInt checksum;
    private boolean released;

    private ReadGuard(RangeEntry entry, OptionalInt checksum) {
      this.entry = entry;
      this.checksum = checksum;
    }

    /// CRC32C of the bytes as their writer gave it, when they are exactly one chunk.
    public OptionalInt checksum() {
      return checksum;
    }

    @Override
    public void close() {
      synchronized (lock) {
        if (released) {
          return;
        }
        released = true;
      }
      leave(entry);
    }
  }
}
