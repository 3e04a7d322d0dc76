package dev.floe.sim.ratis;

import dev.floe.sim.wire.Conditions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// Breaks things one after the other, in an order and for times drawn from the seed. After each
/// fault what it broke works again.
///
/// Each seed draws which kinds of fault it has; one seed in four has exactly one. A killed process
/// leaves its files as it wrote them; what befalls disks is in `DiskNemesis`.
final class Nemesis {
  private static final List<Fault> OPERATORS = List.of(Fault.LEADERSHIP, Fault.MEMBERSHIP);

  private final World world;
  private final RatisCluster cluster;
  private final List<String> clients;
  private final SplittableRandom random;
  private final List<Fault> faults;
  private final DiskNemesis disks;
  private int done;

  /// A kind of fault.
  enum Fault {
    /// Kills a master, most often the leader, and starts it again.
    KILL,
    /// Kills all masters at once.
    KILL_ALL,
    /// Cuts a master off from masters and clients.
    ISOLATE,
    /// Cuts a master off from the other masters; clients still reach it.
    SERVER_ONLY,
    /// Drops what one master sends to another.
    ONE_WAY,
    /// Stops a master, which comes back as a leader that does not know it is none.
    PAUSE,
    /// Loses a fifth of all messages.
    LOSSY,
    /// Repeats a third of all messages.
    DUPLICATE,
    /// Kills each new leader as soon as it serves.
    LEADER_HUNT,
    /// Cuts a machine's power: unsynced writes and renames are lost, in whole or in part.
    POWER,
    /// Cuts the power of all machines, and a sector that is being written is torn.
    TORN,
    /// Makes a disk slow: 1 ms to 30 s for each operation.
    SLOW_DISK,
    /// Fills a disk up, and makes room again later.
    NO_SPACE,
    /// A disk answers with errors; its machine is started again later.
    EIO,
    /// A disk says that it has synced what it has not, then loses power.
    LIE_FSYNC,
    /// Turns bits over on a disk.
    ROT,
    /// A disk writes or reads the wrong sectors.
    MISDIRECT,
    /// The leader hands the lead over.
    LEADERSHIP,
    /// Removes a master from the group, wipes its disk and adds it again.
    MEMBERSHIP
  }

  Nemesis(World world, RatisCluster cluster, List<String> clients) {
    this.world = world;
    this.cluster = cluster;
    this.clients = clients;
    this.random = world.simulation().seeds().stream("nemesis");
    Set<Fault> drawn = draw(random);
    addOperators(drawn, world.simulation().seeds().stream("nemesis of members"));
    this.faults = List.copyOf(drawn);
    this.disks = new DiskNemesis(world, cluster);
  }

  /// What operators do; drawn apart from what breaks.
  private static void addOperators(Set<Fault> drawn, SplittableRandom random) {
    for (Fault fault : OPERATORS) {
      if (random.nextInt(3) == 0) {
        drawn.add(fault);
      }
    }
  }

  private static Set<Fault> draw(SplittableRandom random) {
    Fault[] all = EnumSet.complementOf(EnumSet.copyOf(OPERATORS)).toArray(Fault[]::new);
    if (random.nextInt(4) == 0) {
      return EnumSet.of(all[random.nextInt(all.length)]);
    }
    Set<Fault> some = EnumSet.noneOf(Fault.class);
    while (some.isEmpty()) {
      for (Fault fault : all) {
        if (random.nextBoolean()) {
          some.add(fault);
        }
      }
    }
    return some;
  }

  /// The kinds of this seed.
  List<Fault> faults() {
    return faults;
  }

  /// How often each kind of fault struck a disk.
  Map<Fault, Integer> diskStrikes() {
    return disks.strikes();
  }

  int done() {
    return done;
  }

  /// One pause and one fault.
  void next() throws InterruptedException {
    Thread.sleep(200 + random.nextInt(1500));
    Fault fault = faults.get(random.nextInt(faults.size()));
    SimMaster victim = victim();
    long millis = 100L + random.nextInt(random.nextInt(4) == 0 ? 6000 : 1500);
    world.simulation().event("fault " + fault + " " + victim.name() + " " + millis + " ms");
    strike(fault, victim, millis);
    cluster.startDead();
    done++;
  }

  private SimMaster victim() {
    List<SimMaster> all = cluster.alive();
    SimMaster any = all.get(random.nextInt(all.size()));
    SimMaster leader = cluster.leaderOrNull();
    return leader != null && random.nextInt(3) != 0 ? leader : any;
  }

  private void strike(Fault fault, SimMaster victim, long millis) throws InterruptedException {
    switch (fault) {
      case KILL -> {
        victim.kill();
        Thread.sleep(millis);
        cluster.startDead();
      }
      case KILL_ALL -> {
        cluster.masters().forEach(SimMaster::kill);
        Thread.sleep(millis);
        cluster.startDead();
      }
      case ISOLATE -> {
        List<String> others = new ArrayList<>(cluster.names());
        others.addAll(clients);
        whileCut(() -> world.network().isolate(victim.name(), others), millis);
      }
      case SERVER_ONLY ->
          whileCut(() -> world.network().isolate(victim.name(), cluster.names()), millis);
      case ONE_WAY -> {
        List<String> others = new ArrayList<>(cluster.names());
        others.remove(victim.name());
        String other = others.get(random.nextInt(others.size()));
        whileCut(() -> world.network().cut(victim.name(), other), millis);
      }
      case PAUSE -> {
        victim.pause();
        Thread.sleep(millis);
        victim.resume();
      }
      case LOSSY -> under(Conditions.GOOD.withLoss(0.2), millis);
      case DUPLICATE -> under(Conditions.GOOD.withDuplication(0.33), millis);
      case LEADER_HUNT -> hunt(1 + random.nextInt(4));
      case POWER, TORN, SLOW_DISK, NO_SPACE, EIO, LIE_FSYNC, ROT, MISDIRECT ->
          disks.strike(fault, victim, millis);
      case LEADERSHIP -> {
        SimMaster leader = cluster.leaderOrNull();
        if (leader != null) {
          cluster.membership().handOver(leader, victim);
          Thread.sleep(millis);
        }
      }
      case MEMBERSHIP -> {
        if (cluster.membership().begin()) {
          cluster.membership().replace(worst(victim), millis);
          cluster.membership().end();
        }
      }
    }
  }

  /// A master whose disk cannot be trusted goes before others: without another one it could be needed
  /// for a majority.
  private SimMaster worst(SimMaster otherwise) {
    return cluster.masters().stream().filter(SimMaster::isSuspect).findFirst().orElse(otherwise);
  }

  private void whileCut(Runnable cut, long millis) throws InterruptedException {
    cut.run();
    Thread.sleep(millis);
    world.network().heal();
  }

  private void under(Conditions conditions, long millis) throws InterruptedException {
    world.network().setConditions(conditions);
    Thread.sleep(millis);
    world.network().setConditions(Conditions.GOOD);
  }

  private void hunt(int kills) throws InterruptedException {
    for (int i = 0; i < kills; i++) {
      for (int wait = 0; wait < 100 && cluster.leaderOrNull() == null; wait++) {
        Thread.sleep(20);
      }
      SimMaster leader = cluster.leaderOrNull();
      if (leader != null) {
        leader.kill();
        Thread.sleep(50 + random.nextInt(500));
        cluster.startDead();
      }
    }
  }
}
