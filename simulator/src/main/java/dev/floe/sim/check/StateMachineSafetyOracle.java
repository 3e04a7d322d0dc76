package dev.floe.sim.check;

import com.google.protobuf.ByteString;
import dev.floe.meta.command.MetadataReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// State machine safety: whoever applies an index applies the same bytes and gets the same replies
/// and digest, on every node and in every life; a snapshot restores the digest it was taken at.
public final class StateMachineSafetyOracle {
  private final Map<Long, Applied> byIndex = new HashMap<>();
  private final Map<Long, String> leaderOfTerm = new HashMap<>();
  private long lastIndex;

  private record Applied(
      String node, long term, ByteString bytes, List<MetadataReply> replies, long digest) {}

  /// A node applied an entry.
  ///
  /// @return whether it is the first to apply this index
  public boolean applied(
      String node,
      long index,
      long term,
      ByteString bytes,
      List<MetadataReply> replies,
      long digest) {
    Applied mine = new Applied(node, term, bytes, List.copyOf(replies), digest);
    Applied first = byIndex.putIfAbsent(index, mine);
    if (first == null) {
      Violation.unless(
          index == lastIndex + 1,
          Invariant.STATE_MACHINE_SAFETY,
          () -> node + " applied index " + index + " first, the last one applied was " + lastIndex);
      lastIndex = index;
      return true;
    }
    check(index, first, mine, first.term == term && first.bytes.equals(bytes), "another entry");
    check(index, first, mine, first.replies.equals(mine.replies), "other replies");
    check(index, first, mine, first.digest == digest, "another digest");
    return false;
  }

  /// A node restored a snapshot of `index` and has the given digest now.
  public void restored(String node, long index, long digest) {
    Applied first = byIndex.get(index);
    Violation.unless(
        first != null && first.digest == digest,
        Invariant.STATE_MACHINE_SAFETY,
        () ->
            String.format(
                "%s restored a snapshot of index %d to digest %016x, but applying gave %s",
                node,
                index,
                digest,
                first == null ? "nothing" : String.format("%016x", first.digest)));
  }

  /// A node became leader of a term.
  public void led(String node, long term) {
    String other = leaderOfTerm.putIfAbsent(term, node);
    Violation.unless(
        other == null || other.equals(node),
        Invariant.STATE_MACHINE_SAFETY,
        () -> node + " leads term " + term + ", which " + other + " led");
  }

  /// The digest after `index`, or null when no node has applied it.
  public @Nullable Long digestAt(long index) {
    Applied applied = byIndex.get(index);
    return applied == null ? null : applied.digest;
  }

  /// The highest index that any node has applied.
  public long lastIndex() {
    return lastIndex;
  }

  private static void check(long index, Applied first, Applied mine, boolean isSame, String what) {
    Violation.unless(
        isSame,
        Invariant.STATE_MACHINE_SAFETY,
        () ->
            String.format(
                "at index %d %s has %s than %s: term %d digest %016x replies %s, but %s",
                index,
                mine.node,
                what,
                first.node,
                mine.term,
                mine.digest,
                mine.replies,
                String.format(
                    "term %d digest %016x replies %s", first.term, first.digest, first.replies)));
  }
}
