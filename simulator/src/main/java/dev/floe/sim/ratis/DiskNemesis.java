package dev.floe.sim.ratis;

import dev.floe.sim.disk.Damage;
import dev.floe.sim.disk.DiskFaults;
import dev.floe.sim.disk.PowerLoss;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Breaks disks of masters within what Raft can bear.
///
/// Losing power costs only what was never promised, so it may strike any number of masters. A disk
/// that loses what it promised breaks the promise that a majority is built on, so only a minority
/// of the masters is ever struck by `EIO`, `LIE_FSYNC`, `ROT` or `MISDIRECT`, always the same ones
/// in a run; and such a master goes back to the others only when all of these have applied
/// everything that anyone had applied when it went down. What is demanded of it: it refuses to
/// start, or exits, with a reason; or it is right. When it refuses with its disk well again it
/// stays down, as replacing it needs a new id.
final class DiskNemesis {
  private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final World world;
  private final RatisCluster cluster;
  private final SplittableRandom random;
  private final List<SimMaster> fragile;
  private final Map<Nemesis.Fault, Integer> strikes = new EnumMap<>(Nemesis.Fault.class);

  DiskNemesis(World world, RatisCluster cluster) {
    this.world = world;
    this.cluster = cluster;
    this.random = world.simulation().seeds().stream("disk nemesis");
    List<SimMaster> all = cluster.masters();
    int first = random.nextInt(all.size());
    int minority = (all.size() - 1) / 2;
    this.fragile =
        java.util.stream.IntStream.range(first, first + minority)
            .mapToObj(i -> all.get(i % all.size()))
            .toList();
  }

  /// How often each kind struck.
  Map<Nemesis.Fault, Integer> strikes() {
    // In the order of the kinds: that of `Map.copyOf` differs between JVMs.
    return new TreeMap<>(strikes);
  }

  void strike(Nemesis.Fault fault, SimMaster victim, long millis) throws InterruptedException {
    switch (fault) {
      case POWER -> {
        victim.power(new PowerLoss(survivors(), false));
        Thread.sleep(millis);
        cluster.startDead();
      }
      case TORN -> {
        PowerLoss loss = new PowerLoss(survivors(), true);
        cluster.masters().forEach(m -> m.power(loss));
        Thread.sleep(millis);
        cluster.startDead();
      }
      case SLOW_DISK -> {
        victim.disk().faults().slow(Duration.ofMillis(1L << random.nextInt(15)));
        Thread.sleep(millis);
        victim.disk().faults().heal();
      }
      case NO_SPACE -> fill(victim, millis);
      case EIO, LIE_FSYNC, ROT, MISDIRECT -> {
        List<SimMaster> left = fragile.stream().filter(SimMaster::isAlive).toList();
        if (left.isEmpty()) {
          return;
        }
        damage(fault, left.get(random.nextInt(left.size())), millis);
      }
      default -> throw new IllegalArgumentException(fault + " is no fault of disks");
    }
    strikes.merge(fault, 1, Integer::sum);
  }

  private PowerLoss.Survivors survivors() {
    PowerLoss.Survivors[] all = PowerLoss.Survivors.values();
    return all[random.nextInt(all.length)];
  }

  /// Also tries to start on the full disk.
  private void fill(SimMaster victim, long millis) throws InterruptedException {
    victim.disk().leaveSpace(random.nextInt(4) == 0 ? 0 : random.nextInt(24 * 1024));
    Thread.sleep(millis);
    if (random.nextBoolean()) {
      victim.kill();
      Thread.sleep(100);
      cluster.startDead();
    }
    victim.disk().makeSpace();
    Thread.sleep(100);
    cluster.startDead();
  }

  private void damage(Nemesis.Fault fault, SimMaster victim, long millis)
      throws InterruptedException {
    victim.suspectDisk();
    DiskFaults faults = victim.disk().faults();
    switch (fault) {
      case EIO -> {
        DiskFaults.Operation[] all = DiskFaults.Operation.values();
        faults.errors(all[random.nextInt(all.length)], random.nextBoolean() ? 1 : 0.1);
        Thread.sleep(millis);
        backWithoutPageCache(victim);
      }
      case LIE_FSYNC -> {
        faults.lieAboutForce(random.nextBoolean() ? 1 : 0.3);
        Thread.sleep(millis);
        long known = down(victim);
        victim.disk().powerLoss(new PowerLoss(survivors(), random.nextBoolean()));
        back(victim, known);
      }
      case ROT -> {
        long known = down(victim);
        Damage damage = victim.disk().damage();
        for (int i = random.nextInt(3); i >= 0; i--) {
          world.simulation().event("rot " + damage.rot(DiskNemesis::isContent));
        }
        back(victim, known);
      }
      default -> {
        boolean isWriting = random.nextBoolean();
        if (isWriting) {
          faults.misdirectWrites(0.1);
        }
        faults.shortWrites(0.3);
        Thread.sleep(millis);
        long known = down(victim);
        victim.disk().restartMachine();
        if (!isWriting) {
          String where = victim.disk().damage().misdirectRead(DiskNemesis::isContent);
          world.simulation().event("misdirect " + where);
        }
        back(victim, known);
      }
    }
  }

  /// Lock files hold a process id, which nobody reads but people, and which differs between runs.
  private static boolean isContent(String file) {
    return !file.endsWith(".lock");
  }

  /// @return the last index that anyone had applied
  private long down(SimMaster victim) {
    victim.kill();
    victim.disk().faults().heal();
    return world.oracle().maxIndex();
  }

  private void backWithoutPageCache(SimMaster victim) throws InterruptedException {
    long known = down(victim);
    victim.disk().restartMachine();
    back(victim, known);
  }

  /// Lets a master come back whose disk may have lost what it promised.
  private void back(SimMaster victim, long known) throws InterruptedException {
    List<SimMaster> others =
        cluster.masters().stream().filter(m -> m != victim && !m.isOut()).toList();
    long until = world.simulation().nanos() + CATCH_UP_LIMIT.toNanos();
    while (!cluster.haveApplied(known, others)) {
      cluster.startDead(others);
      failWhenLate(until, "the masters with good disks are behind " + known);
    }
    cluster.startDead();
    if (victim.isAlive() && !catchesUp(victim, known, PATIENCE)) {
      // A leader of Ratis 3.2.2 never sends again what it was told that a follower has.
      SimMaster leader = cluster.leaderOrNull();
      if (leader != null) {
        world.simulation().event("leader replaced for " + victim.name());
        leader.kill();
        Thread.sleep(100);
        cluster.startDead();
      }
      if (!catchesUp(victim, known, CATCH_UP_LIMIT)) {
        failWhenLate(0, victim.name() + " is behind " + known + " with its disk repaired");
      }
    }
  }

  private boolean catchesUp(SimMaster victim, long known, Duration limit)
      throws InterruptedException {
    long until = world.simulation().nanos() + limit.toNanos();
    while (victim.isAlive() && !cluster.haveApplied(known, List.of(victim))) {
      if (world.simulation().nanos() > until) {
        return false;
      }
      Thread.sleep(50);
    }
    return true;
  }

  private void failWhenLate(long until, String what) throws InterruptedException {
    if (world.simulation().nanos() > until) {
      throw new AssertionError("CONVERGENCE: " + what + ":\n" + cluster.describe());
    }
    Thread.sleep(50);
  }
}
