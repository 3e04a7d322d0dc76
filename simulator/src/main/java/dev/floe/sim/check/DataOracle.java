package dev.floe.sim.check;

import dev.floe.meta.model.SegmentId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Checks the bytes: whoever asks with a token gets what that token's writer wrote, and no older
/// token ever changes what a newer one wrote.
public final class DataOracle {
  private final CommandOracle commands;
  private final Map<CommandOracle.Written, Payload> payloads = new HashMap<>();
  private final Map<SegmentId, TreeMap<Long, Taken>> taken = new HashMap<>();

  private record Taken(long lengthBytes, long token) {}

  public DataOracle(CommandOracle commands) {
    this.commands = commands;
  }

  /// A client is about to begin a write of these bytes.
  public void willWrite(CommandOracle.Written write, Payload payload) {
    payloads.put(write, payload);
  }

  /// A runtime took bytes into a range under a token. Over bytes of a newer token that is no longer
  /// live it may: range tables forget the rest of a range that was taken over in part.
  public void stored(SegmentId segment, long offsetBytes, long lengthBytes, long token) {
    TreeMap<Long, Taken> ranges = taken.computeIfAbsent(segment, key -> new TreeMap<>());
    long end = offsetBytes + lengthBytes;
    Map.Entry<Long, Taken> other = ranges.lowerEntry(end);
    while (other != null && other.getKey() + other.getValue().lengthBytes > offsetBytes) {
      long otherToken = other.getValue().token;
      Violation.unless(
          otherToken <= token || !commands.isLive(otherToken),
          Invariant.TOKEN_SAFETY,
          () -> "token " + token + " wrote over bytes of the newer live token " + otherToken);
      ranges.remove(other.getKey());
      other = ranges.lowerEntry(end);
    }
    ranges.put(offsetBytes, new Taken(lengthBytes, token));
  }

  /// A runtime served bytes of a value for a token.
  ///
  /// @param from where they start within the value
  public void served(long token, long from, byte[] bytes) {
    CommandOracle.Written write = commands.writtenBy(token);
    Payload right = payloadOf(token);
    Violation.unless(
        right != null && right.matches(from, bytes),
        Invariant.WRONG_BYTES,
        () ->
            "bytes "
                + from
                + "+"
                + bytes.length
                + " served for token "
                + token
                + " are not those of "
                + write
                + (bytes.length >= 8
                    ? ", they start " + Arrays.toString(Arrays.copyOf(bytes, 8))
                    : ""));
  }

  /// What the writer of a token meant to write, or null when the token is unknown.
  public @Nullable Payload payloadOf(long token) {
    CommandOracle.Written write = commands.writtenBy(token);
    return write == null ? null : payloads.get(write);
  }
}
