package dev.floe.sim.fleet;

import com.google.protobuf.ByteString;
import dev.floe.meta.node.LogSource;
import dev.floe.meta.ratis.ApplyObserver;
import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.wire.SimHost;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// What all masters over the model log share: the committed entries, who leads, and elections.
///
/// It stands for Raft and knows everything: an entry is committed when its leader reaches a
/// majority at the moment it arrives; a leader that has reached none for an election timeout is
/// followed by another one and learns of that later; what it had taken meanwhile is committed by
/// the new one or lost, by a coin. Replies get lost, entries of sessions come twice. Invariant:
/// what is committed stays. Confined to the carrier.
final class ModelLogGroup {
  private static final long LOOK_NANOS = 100_000_000L;
  private static final long ELECTION_NANOS_MIN = 300_000_000L;
  private static final double LIMBO_SURVIVES = 0.3;
  private static final double DUPLICATE = 0.02;

  /// Shorter than the shortest election timeout by more than clocks differ.
  static final long LEASE_NANOS = 240_000_000L;

  private final FleetWorld world;
  private final SplittableRandom random;
  private final Incarnation own;
  private final List<MasterProcess> masters = new ArrayList<>();
  private final Map<String, ModelLog> logs = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Deque<Arrived> limbo = new ArrayDeque<>();
  private long lastIndex;
  private long term;
  private @Nullable ModelLog leader;
  private long leaderGoodNanos;
  private long electionNanos;

  /// A committed entry.
  record Entry(long index, long term, ByteString bytes, Proposal proposal) {}

  /// An entry that a leader has taken.
  record Proposal(ModelLog by, long id, ByteString bytes, boolean isRepeatable) {}

  /// One that has come into the log of its leader, in a term of that one.
  private record Arrived(long term, Proposal proposal) {}

  ModelLogGroup(FleetWorld world) {
    this.world = world;
    this.random = world.simulation().seeds().stream("model log");
    this.own = world.simulation().newIncarnation("model-log");
  }

  /// The masters of the run.
  void begin(List<MasterProcess> all) {
    masters.addAll(all);
    world.simulation().after(own, LOOK_NANOS, "look", this::look);
  }

  /// Where the log of one life comes from.
  LogSource source(SimHost place, ApplyObserver observer) {
    return (options, format, ticker, fatal) -> {
      Path folder = options.directory().resolve("model");
      ModelLog log =
          new ModelLog(this, place, new ModelLog.Parts(options, folder, format, observer, fatal));
      logs.put(place.name(), log);
      log.start();
      return log;
    };
  }

  FleetWorld world() {
    return world;
  }

  SplittableRandom random() {
    return random;
  }

  // --- who leads ---

  private void look() {
    long now = world.simulation().nanos();
    if (isGood(leader)) {
      leaderGoodNanos = now;
      electionNanos = ELECTION_NANOS_MIN + random.nextLong(ELECTION_NANOS_MIN);
      settleLimbo();
    } else if (now - leaderGoodNanos > electionNanos) {
      List<MasterProcess> candidates = masters.stream().filter(this::canLead).toList();
      if (!candidates.isEmpty()) {
        elect(candidates.get(random.nextInt(candidates.size())).name());
      }
    }
    masters.forEach(master -> tell(master.name()));
    world.simulation().after(own, LOOK_NANOS, "look", this::look);
  }

  private boolean canLead(MasterProcess master) {
    return isGood(logs.get(master.name()));
  }

  /// Whether a log's process runs and reaches a majority.
  private boolean isGood(@Nullable ModelLog log) {
    if (log == null || log.place().life().isDead()) {
      return false;
    }
    int reached = 0;
    boolean isRunning = false;
    for (MasterProcess other : masters) {
      boolean isSelf = other.name().equals(log.place().name());
      isRunning |= isSelf && other.isRunning();
      reached +=
          isSelf || (other.isRunning() && isLinked(log.place().name(), other.name())) ? 1 : 0;
    }
    return isRunning && 2 * reached > masters.size();
  }

  private boolean isLinked(String one, String other) {
    return !world.network().isCut(one, other) && !world.network().isCut(other, one);
  }

  private void elect(String name) {
    ModelLog chosen = logs.get(name);
    if (chosen == null) {
      return;
    }
    ModelLog before = leader;
    long elected = ++term;
    lastIndex++;
    leader = chosen;
    leaderGoodNanos = world.simulation().nanos();
    world.simulation().event("model log: " + chosen.place().life() + " leads term " + term);
    while (!limbo.isEmpty()) {
      Arrived left = limbo.remove();
      if (random.nextDouble() < LIMBO_SURVIVES) {
        append(left);
      }
    }
    if (before != null) {
      long delay = before == chosen ? 0 : stepDownNanos(before);
      later(before.place(), delay, "step down", () -> before.follow(elected));
    }
    later(chosen.place(), 1_000_000, "lead", () -> chosen.lead(elected));
  }

  /// A leader that is cut off learns late that there is another one.
  private long stepDownNanos(ModelLog before) {
    return isGood(before) ? random.nextLong(20_000_000) : random.nextLong(900_000_000);
  }

  /// Hands the lead over when the other one can take it.
  boolean transfer(ModelLog from, String to) {
    ModelLog other = logs.get(to);
    if (leader != from || other == from || !isGood(other)) {
      return false;
    }
    elect(to);
    return true;
  }

  /// Whether this log is the leader of that term and its lease runs.
  boolean hasLease(ModelLog log, long ofTerm) {
    long now = world.simulation().nanos();
    if (leader != log || term != ofTerm) {
      return false;
    }
    if (isGood(log)) {
      leaderGoodNanos = now;
    }
    return now - leaderGoodNanos < LEASE_NANOS;
  }

  // --- entries ---

  /// A leader has taken an entry; it arrives after a while, or goes into limbo.
  void propose(Proposal proposal, long delayNanos) {
    world.simulation().after(own, delayNanos, "replicate", () -> arrive(proposal));
  }

  private void arrive(Proposal proposal) {
    if (leader != proposal.by) {
      return;
    }
    // A call that stood still on its way may come when its node leads again, in a later term.
    Arrived arrived = new Arrived(term, proposal);
    if (!limbo.isEmpty() || !isGood(leader)) {
      limbo.add(arrived);
    } else {
      append(arrived);
      masters.forEach(master -> tell(master.name()));
    }
  }

  private void settleLimbo() {
    while (!limbo.isEmpty()) {
      append(limbo.remove());
    }
  }

  private void append(Arrived arrived) {
    Proposal proposal = arrived.proposal;
    entries.add(new Entry(++lastIndex, arrived.term, proposal.bytes, proposal));
    if (proposal.isRepeatable && random.nextDouble() < DUPLICATE) {
      entries.add(new Entry(++lastIndex, arrived.term, proposal.bytes, proposal));
    }
  }

  /// The entries behind an index, in order.
  List<Entry> after(long index) {
    int from = entries.size();
    while (from > 0 && entries.get(from - 1).index > index) {
      from--;
    }
    return List.copyOf(entries.subList(from, entries.size()));
  }

  long lastEntryIndex() {
    return entries.isEmpty() ? 0 : entries.getLast().index;
  }

  /// Lets a master know how far the log goes and who leads, unless the leader does not reach it.
  private void tell(String name) {
    ModelLog to = logs.get(name);
    ModelLog from = leader;
    if (to == null || from == null || to.place().life().isDead()) {
      return;
    }
    boolean isSelf = to == from;
    if (!isSelf && (from.place().life().isDead() || !isLinked(from.place().name(), name))) {
      return;
    }
    long reach = lastEntryIndex();
    long ofTerm = term;
    String leads = from.place().name();
    if (to.knows(reach, ofTerm)) {
      return;
    }
    later(
        to.place(),
        isSelf ? 0 : 300_000 + random.nextLong(3_000_000),
        "commit",
        () -> to.told(reach, ofTerm, leads));
  }

  private void later(SimHost place, long delayNanos, String what, Runnable action) {
    world.simulation().after(place.life(), delayNanos, what, action);
  }
}
