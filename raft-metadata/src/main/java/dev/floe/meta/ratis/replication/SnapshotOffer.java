package dev.floe.meta.ratis.replication;

import dev.floe.core.probe.Probe;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.jspecify.annotations.Nullable;

/// The snapshot that a leader offered to one follower last, and what to make of an answer that
/// Ratis 3.2.2 misreads.
///
/// A follower whose log reaches further than the snapshot answers `ALREADY_INSTALLED`, but leaves
/// out how far it is. The leader takes the missing number for 0, finds that entry 1 is purged and
/// offers the snapshot again, for ever: the follower gets nothing more from this leader. It comes
/// to this when a follower takes entries whose acknowledgements are lost, and the leader purges
/// them meanwhile. Such an answer means that the follower has committed all that the snapshot
/// holds. Soft state of one log appender, confined to its thread.
public final class SnapshotOffer {
  private static final long NONE = -1;

  private long offeredIndex = NONE;
  private long nextIndexBefore;

  /// Nothing was offered yet.
  public SnapshotOffer() {}

  /// Puts the follower's progress right when the answer to the last offer was misread. To be called
  /// before the appender decides whether the follower needs a snapshot.
  public void mend(FollowerInfo follower) {
    if (Probe.buggify("appender.stumbles")) {
      throw new IllegalStateException("the appender of " + follower.getId() + " stumbles");
    }
    long installed =
        installedIndex(
            follower.getSnapshotIndex(), follower.getMatchIndex(), follower.getNextIndex());
    if (installed != NONE) {
      offeredIndex = NONE;
      follower.setSnapshotIndex(installed);
    }
  }

  /// Takes note of what is offered now, or of nothing.
  public @Nullable SnapshotInfo made(@Nullable SnapshotInfo offer, FollowerInfo follower) {
    if (offer != null) {
      made(offer.getIndex(), follower.getNextIndex());
    }
    return offer;
  }

  void made(long snapshotIndex, long nextIndex) {
    offeredIndex = snapshotIndex;
    nextIndexBefore = nextIndex;
  }

  /// How far the follower is when its progress says that it has just entry 0, though it was further
  /// when the snapshot was offered; -1 when nothing is to be mended.
  long installedIndex(long snapshotIndex, long matchIndex, long nextIndex) {
    boolean isThrownBack =
        snapshotIndex == 0 && matchIndex == 0 && nextIndex == 1 && nextIndexBefore != 1;
    return isThrownBack ? offeredIndex : NONE;
  }
}
