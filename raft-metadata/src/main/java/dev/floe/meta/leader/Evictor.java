package dev.floe.meta.leader;

import dev.floe.core.probe.Probe;
import dev.floe.meta.command.MetadataCommand.Evict;
import dev.floe.meta.command.MetadataCommand.Victim;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.state.MetadataView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Chooses what goes when memory runs short. Soft state of one leadership; used by its regular work,
/// but for `wanted`, which any thread may call.
///
/// It begins above the high watermark, or when a write found no space, and ends a share of the
/// capacity below. Each pass looks at as many whole shards as hold enough objects, going on where
/// the last one ended, and takes the same share of the oldest from them: objects are spread over the
/// shards by a hash, so the oldest of some are the oldest of all within a little. A state that a
/// single pass sees whole gives the oldest exactly. So the work follows what is evicted and not what
/// there is.
///
/// Old is what was read longest ago, and before that what was never read under this leadership, by
/// the time of its write. What is leased stays, and so does its group. Soft-pinned objects go only
/// when a round over everything else has not freed half of what it should.
public final class Evictor {
  private static final Logger LOG = LoggerFactory.getLogger(Evictor.class);

  /// Objects that one pass looks at before it stops at the end of a shard.
  private static final int SEEN_PER_PASS = 16_384;

  /// A few milliseconds of apply.
  private static final int VICTIMS_PER_PASS = 8192;

  /// A quarter of the largest entry that Raft takes.
  private static final int VICTIM_BYTES_PER_PASS = 1 << 20;

  private static final int VICTIM_OVERHEAD_BYTES = 32;

  private final ReadLeases leases;
  private final EvictionOptions options;
  private volatile boolean isWanted;
  private boolean isUnderWay;
  private boolean hasFound;
  private int nextShard;
  private String told = "";
  private Round round = new Round(false);

  /// An evictor of a leadership that begins now.
  public Evictor(ReadLeases leases, EvictionOptions options) {
    this.leases = leases;
    this.options = options;
  }

  /// A write found no space.
  public void wanted() {
    isWanted = true;
  }

  /// Whether more should go and the last pass found something, so that the next one should not be
  /// long in coming. When nothing can go, looking again and again would not help.
  boolean isBusy() {
    return isWanted || (isUnderWay && hasFound);
  }

  /// The next objects to go; empty when there is room enough.
  public List<Evict> next(MetadataView view) {
    MetadataView.Totals totals = view.totals();
    long excess = excessBytes(totals);
    if (excess <= 0) {
      isUnderWay = false;
      round = new Round(false);
      return List.of();
    }
    Pass pass = look(view, Math.min(1.0, (double) excess / Math.max(1, totals.usedBytes())));
    hasFound = !pass.victims.isEmpty();
    List<Evict> evictions =
        hasFound ? List.of(new Evict(pass.victims, round.takesSoftPinned)) : List.of();
    if (nextShard == 0) {
      endRound(excess);
    }
    return evictions;
  }

  private long excessBytes(MetadataView.Totals totals) {
    if (options.share() == 0) {
      isWanted = false;
      return 0;
    }
    long high = (long) (totals.capacityBytes() * options.highWatermark());
    long low = (long) (totals.capacityBytes() * (options.highWatermark() - options.share()));
    if (isWanted) {
      isWanted = false;
      isUnderWay = true;
      // Enough in all, but not in one piece, or not where it is wanted.
      round.wantedBytes = (long) (totals.capacityBytes() * options.share());
    }
    if (totals.usedBytes() > high) {
      isUnderWay = true;
    }
    if (!isUnderWay) {
      return 0;
    }
    return Math.max(totals.usedBytes() - low, round.wantedBytes - round.chosenBytes);
  }

  /// What one pass found.
  private static final class Pass {
    final List<Victim> victims = new ArrayList<>();
    final List<ObjectRoute> candidates = new ArrayList<>();
    final Set<ObjectId> taken = new HashSet<>();
    int victimBytes;
    long seenBytes;
    int seen;
  }

  private Pass look(MetadataView view, double share) {
    Pass pass = new Pass();
    long nowMillis = view.appliedTimeMillis();
    do {
      view.forEachRouteOf(nextShard, route -> consider(pass, route, nowMillis));
      nextShard = (nextShard + 1) % view.shards();
    } while (nextShard != 0 && pass.seen < SEEN_PER_PASS);
    pass.candidates.sort(
        Comparator.comparingLong((ObjectRoute route) -> leases.lastEndNanos(route.id()))
            .thenComparing(ObjectRoute::version));
    long target = (long) Math.ceil(pass.seenBytes * share);
    long chosen = 0;
    for (ObjectRoute route : pass.candidates) {
      if (chosen >= target
          || pass.victims.size() >= VICTIMS_PER_PASS
          || pass.victimBytes >= VICTIM_BYTES_PER_PASS) {
        break;
      }
      chosen += choose(pass, view, route);
    }
    round.chosenBytes += chosen;
    return pass;
  }

  private void consider(Pass pass, ObjectRoute route, long nowMillis) {
    pass.seen++;
    if (route.state() != RouteState.ACTIVE) {
      return;
    }
    pass.seenBytes += route.content().sizeBytes() * route.replicas().size();
    if (route.retention().isHardPinned()) {
      round.hardPinned++;
    } else if (route.next() != null) {
      round.replaced++;
    } else if (leases.remainingMillis(route.id(), route) > 0) {
      round.leased++;
    } else if (!round.takesSoftPinned && route.retention().isSoftPinnedAt(nowMillis)) {
      round.softPinned++;
    } else {
      pass.candidates.add(route);
    }
  }

  /// Adds an object with its group, unless a member is leased.
  ///
  /// @return the bytes that go with it
  private long choose(Pass pass, MetadataView view, ObjectRoute route) {
    if (pass.taken.contains(route.id())) {
      return 0;
    }
    List<ObjectRoute> members = new ArrayList<>();
    for (ObjectId member : view.groupWith(route)) {
      ObjectRoute one = view.route(member);
      if (one == null || one.state() != RouteState.ACTIVE) {
        continue;
      }
      if (leases.remainingMillis(member, one) > 0) {
        Probe.sometimes("evict.group-stays-for-a-leased-member");
        return 0;
      }
      members.add(one);
    }
    long bytes = 0;
    for (ObjectRoute member : members) {
      if (pass.taken.add(member.id())) {
        pass.victims.add(new Victim(member.id(), member.version()));
        pass.victimBytes += member.id().key().value().length() + VICTIM_OVERHEAD_BYTES;
        bytes += member.content().sizeBytes() * member.replicas().size();
      }
    }
    return bytes;
  }

  private void endRound(long excess) {
    boolean isShort = round.chosenBytes < excess / 2;
    if (isShort && round.takesSoftPinned) {
      tell(excess, round.reason());
    }
    round = new Round(isShort);
  }

  /// Once for each reason: writes without space ask again and again.
  private void tell(long excess, String reason) {
    if (!reason.equals(told)) {
      LOG.warn("memory is short by {} bytes and nothing more can be evicted: {}", excess, reason);
      told = reason;
    }
  }

  /// What one round over all shards met.
  private static final class Round {
    final boolean takesSoftPinned;
    long wantedBytes;
    long chosenBytes;
    long hardPinned;
    long softPinned;
    long leased;
    long replaced;

    Round(boolean takesSoftPinned) {
      this.takesSoftPinned = takesSoftPinned;
    }

    String reason() {
      return hardPinned
          + " objects are hard-pinned, "
          + softPinned
          + " soft-pinned, "
          + leased
          + " being read, "
          + replaced
          + " being replaced";
    }
  }
}
