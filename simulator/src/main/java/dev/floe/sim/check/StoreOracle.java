package dev.floe.sim.check;

import dev.floe.meta.model.SegmentId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Watches what store runtimes do, at the stores: which bytes they take and which they give.
///
/// A token is of one put: all bytes that come under it are of the same one, of the key that the log
/// gave the token for. A range is not written under a lower token than one that is still live, and
/// not read under a token that did not fill it; what is read is what was written.
public final class StoreOracle {
  private final CommandOracle commands;
  private final PutBook puts;
  private final Map<Long, Payload> putOfToken = new HashMap<>();
  private final Map<SegmentId, TreeMap<Long, Taken>> taken = new HashMap<>();
  private long writes;
  private long reads;

  private record Taken(long lengthBytes, long token) {}

  /// Bytes of a value at a store.
  ///
  /// @param offsetBytes of the value's range within the segment
  /// @param lengthBytes of that range
  /// @param valueBytes size of the value
  /// @param from of the bytes within the value
  public record Place(
      SegmentId segment,
      long offsetBytes,
      long lengthBytes,
      long token,
      long valueBytes,
      long from) {}

  public StoreOracle(CommandOracle commands, PutBook puts) {
    this.commands = commands;
    this.puts = puts;
  }

  /// A store has accepted bytes.
  public void written(String store, Place place, byte[] bytes) {
    writes++;
    takeOver(store, place);
    Payload put = putOf(store, place, bytes);
    Payload bound = bytes.length < 8 ? put : putOfToken.putIfAbsent(place.token, put);
    Violation.unless(
        bound == null || bound.matches(place.from, bytes),
        Invariant.TOKEN_SAFETY,
        () -> store + " took bytes of " + put + " for " + place + ", which is of " + bound);
  }

  private void takeOver(String store, Place place) {
    TreeMap<Long, Taken> ranges = taken.computeIfAbsent(place.segment, key -> new TreeMap<>());
    long end = place.offsetBytes + place.lengthBytes;
    Map.Entry<Long, Taken> other = ranges.lowerEntry(end);
    while (other != null && other.getKey() + other.getValue().lengthBytes > place.offsetBytes) {
      long token = other.getValue().token;
      Violation.unless(
          token <= place.token || !commands.isLive(token),
          Invariant.TOKEN_SAFETY,
          () -> store + " accepted " + place + " over bytes of the newer live token " + token);
      ranges.remove(other.getKey());
      other = ranges.lowerEntry(end);
    }
    ranges.put(place.offsetBytes, new Taken(place.lengthBytes, place.token));
  }

  /// A store has given bytes away.
  public void served(String store, Place place, byte[] bytes) {
    reads++;
    Taken filled = taken.getOrDefault(place.segment, new TreeMap<>()).get(place.offsetBytes);
    Violation.unless(
        filled != null && filled.token == place.token,
        Invariant.TOKEN_SAFETY,
        () -> store + " served " + place + ", which was filled by " + filled);
    Payload put = putOfToken.get(place.token);
    Violation.unless(
        put == null ? place.valueBytes < 8 : put.matches(place.from, bytes),
        Invariant.WRONG_BYTES,
        () ->
            store
                + " served for "
                + place
                + " of "
                + put
                + " other bytes: "
                + puts.describe(bytes));
  }

  private Payload putOf(String store, Place place, byte[] bytes) {
    CommandOracle.Written written = commands.writtenBy(place.token);
    Payload put =
        written == null ? null : puts.find(written.id(), place.valueBytes, place.from, bytes);
    if (put == null) {
      throw new Violation(
          Invariant.TOKEN_SAFETY,
          store
              + " took bytes for "
              + place
              + ", a token of "
              + written
              + " with no such put: "
              + puts.describe(bytes));
    }
    return put;
  }

  /// Chunks that stores took and gave.
  public String counts() {
    return "written=" + writes + " served=" + reads;
  }
}
