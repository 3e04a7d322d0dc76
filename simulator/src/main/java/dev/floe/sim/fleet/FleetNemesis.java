package dev.floe.sim.fleet;

import dev.floe.meta.node.MasterNode;
import dev.floe.sim.disk.PowerLoss;
import dev.floe.sim.disk.SimDisk;
import dev.floe.sim.wire.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// Does one fault: draws the victims from the fault's own random numbers, breaks them and mends them.
final class FleetNemesis {
  private static final double RATE_MAX = 0.05;
  private static final int JUMP_MILLIS_MAX = 1500;
  private static final int SLOW_DISK_DOUBLINGS = 12;
  private static final int NEW_LEADER_LOOKS = 150;

  private final FleetWorld world;
  private final Fleet fleet;
  private final SplittableRandom random;

  /// @param random of this fault alone
  FleetNemesis(FleetWorld world, Fleet fleet, SplittableRandom random) {
    this.world = world;
    this.fleet = fleet;
    this.random = random;
  }

  /// Does it, and returns when it is mended.
  void strike(FleetFault fault, long millis) throws InterruptedException {
    switch (fault) {
      case KILL_MASTER -> killed(List.of(master()), millis);
      case KILL_ALL_MASTERS -> killed(fleet.masters(), millis);
      case POWER_MASTER -> powerless(List.of(master()), false, millis);
      case POWER_ALL_MASTERS -> powerless(fleet.masters(), true, millis);
      case SLOW_DISK -> slowDisk(master().disk(), millis);
      case KILL_STORE -> killed(List.of(any(fleet.stores())), millis);
      case KILL_CLIENT -> killed(List.of(any(fleet.clients())), millis);
      case KILL_ALL -> killed(fleet.all(), millis);
      case PAUSE_MASTER -> paused(master(), 2 * millis);
      case PAUSE_STORE -> paused(any(fleet.stores()), 2 * millis);
      case PAUSE_CLIENT -> paused(any(fleet.clients()), 3 * millis);
      case ISOLATE -> isolated(anyMostlyMaster().name(), fleet.names(), millis);
      case MASTERS_ONLY -> isolated(master().name(), names(fleet.masters()), millis);
      case ONE_WAY -> oneWay(millis);
      case HALVES -> halves(millis, false);
      case BRIDGE -> halves(millis, true);
      case TWO_WORLDS -> twoWorlds(millis);
      case FLAP -> flap(millis);
      case SLOW_LINK -> slowLink(millis);
      case LOSS -> under(Conditions.GOOD.withLoss(0.02 + random.nextDouble() / 5), millis);
      case DUPLICATION -> under(Conditions.GOOD.withDuplication(0.33), millis);
      case DELAY ->
          under(new Conditions(0.002, 0.002, 1_000_000, 60_000_000, 0.02, 900_000_000), millis);
      case RESET -> reset();
      case STALE_MESSAGES -> {
        world.network().setStale(0.05);
        Thread.sleep(millis);
        world.network().setStale(0);
      }
      case CLOCK_JUMP -> anyMostlyMaster().clock().jump(signed(JUMP_MILLIS_MAX));
      case CLOCK_RATE ->
          anyMostlyMaster()
              .clock()
              .setRate(world.simulation().nanos(), 1 + RATE_MAX * (2 * random.nextDouble() - 1));
      case LEADERSHIP -> transfer();
      case SNAPSHOT -> snapshot(master());
      case LEADER_HUNT -> hunt(1 + random.nextInt(3));
      case MINORITY_PING_PONG -> pingPong(millis);
      case LAG_THEN_SNAPSHOT -> lag(millis);
      case PARTITION_THEN_KILL -> partitionThenKill(millis);
      case HEAL_THEN_KILL -> {
        halves(millis, false);
        killed(List.of(master()), 200 + millis / 4);
      }
      case MEMBERSHIP -> replaced(master(), millis);
      case LYING_DISK -> lying(master(), millis);
    }
  }

  // --- victims ---

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /// The leader in two of three cases.
  private MasterProcess master() {
    MasterProcess leader = fleet.leaderOrNull();
    MasterProcess any = any(fleet.masters());
    return leader != null && random.nextInt(3) != 0 ? leader : any;
  }

  private SimProcess anyMostlyMaster() {
    return random.nextBoolean() ? master() : any(fleet.all());
  }

  private static List<String> names(List<? extends SimProcess> processes) {
    return processes.stream().map(SimProcess::name).toList();
  }

  private int signed(int max) {
    return random.nextInt(2 * max + 1) - max;
  }

  // --- processes ---

  private static void killed(List<? extends SimProcess> victims, long millis)
      throws InterruptedException {
    victims.forEach(SimProcess::kill);
    Thread.sleep(millis);
    victims.forEach(SimProcess::start);
  }

  private void powerless(List<MasterProcess> victims, boolean isTorn, long millis)
      throws InterruptedException {
    PowerLoss.Survivors[] all = PowerLoss.Survivors.values();
    PowerLoss loss = new PowerLoss(all[random.nextInt(all.length)], isTorn);
    victims.forEach(victim -> victim.power(loss));
    Thread.sleep(millis);
    victims.forEach(SimProcess::start);
  }

  private void slowDisk(SimDisk disk, long millis) throws InterruptedException {
    disk.faults().slow(Duration.ofMillis(1L << random.nextInt(SLOW_DISK_DOUBLINGS)));
    Thread.sleep(millis);
    disk.faults().heal();
  }

  private static void paused(SimProcess victim, long millis) throws InterruptedException {
    victim.pause();
    Thread.sleep(millis);
    victim.resume();
  }

  private void transfer() {
    MasterProcess leader = fleet.leaderOrNull();
    MasterProcess to = any(fleet.masters());
    if (leader != null) {
      fleet.membership().handOver(leader, to);
    }
  }

  private void replaced(MasterProcess victim, long millis) throws InterruptedException {
    if (fleet.membership().begin()) {
      fleet.membership().replace(victim, millis);
      fleet.membership().end();
    }
  }

  /// Only one master at a time may break its promises: the others are a majority that keeps them, and
  /// it comes back only when the group has gone on without it.
  private void lying(MasterProcess victim, long millis) throws InterruptedException {
    if (!fleet.membership().begin()) {
      return;
    }
    victim.lie(random.nextBoolean() ? 1 : 0.3);
    Thread.sleep(millis);
    PowerLoss.Survivors[] all = PowerLoss.Survivors.values();
    victim.power(new PowerLoss(all[random.nextInt(all.length)], random.nextBoolean()));
    fleet.membership().replace(victim, 200);
    fleet.membership().end();
  }

  private void snapshot(MasterProcess master) {
    onMaster(master, node -> node.log().requestSnapshot());
  }

  private interface Act {
    void on(MasterNode node);
  }

  /// On a thread of the master itself, which dies with it.
  private void onMaster(MasterProcess master, Act act) {
    MasterNode node = master.node();
    var host = master.host();
    if (node != null && host != null) {
      var _ = world.simulation().spawn(host.life(), "operator", () -> act.on(node));
    }
  }

  private void hunt(int kills) throws InterruptedException {
    for (int i = 0; i < kills; i++) {
      for (int wait = 0; wait < 100 && fleet.leaderOrNull() == null; wait++) {
        Thread.sleep(20);
      }
      MasterProcess leader = fleet.leaderOrNull();
      if (leader != null) {
        killed(List.of(leader), 50 + random.nextInt(500));
      }
    }
  }

  // --- network ---

  private record Link(String from, String to) {}

  private void cut(List<Link> links, long millis) throws InterruptedException {
    world.log().fault("cut " + describe(links));
    links.forEach(link -> world.network().cut(link.from, link.to));
    Thread.sleep(millis);
    links.forEach(link -> world.network().restore(link.from, link.to));
  }

  private static String describe(List<Link> links) {
    return String.join(
        " ", new TreeSet<>(links.stream().map(link -> link.from + ">" + link.to).toList()));
  }

  private static List<Link> between(List<String> some, List<String> others) {
    List<Link> links = new ArrayList<>();
    for (String one : some) {
      for (String other : others) {
        if (!one.equals(other)) {
          links.add(new Link(one, other));
          links.add(new Link(other, one));
        }
      }
    }
    return links;
  }

  private void isolated(String name, List<String> from, long millis) throws InterruptedException {
    cut(between(List.of(name), from), millis);
  }

  private void oneWay(long millis) throws InterruptedException {
    String from = anyMostlyMaster().name();
    String to = any(fleet.all()).name();
    if (!from.equals(to)) {
      cut(List.of(new Link(from, to)), millis);
    }
  }

  private void halves(long millis, boolean hasBridge) throws InterruptedException {
    List<String> one = new ArrayList<>();
    List<String> other = new ArrayList<>();
    String bridge = any(fleet.masters()).name();
    for (String name : fleet.names()) {
      if (!hasBridge || !name.equals(bridge)) {
        (random.nextBoolean() ? one : other).add(name);
      }
    }
    cut(between(one, other), millis);
  }

  /// For as long as the leader of the past does not know it, clients on its side ask it about what
  /// others change on the other side. The others are cut off only when there is a new leader: one
  /// that is sent to the old one before waits there until the past is over.
  private void twoWorlds(long millis) throws InterruptedException {
    MasterProcess leader = fleet.leaderOrNull();
    MasterProcess past = leader == null ? master() : leader;
    List<String> clients = new ArrayList<>(names(fleet.clients()));
    var _ = clients.remove(random.nextInt(clients.size()));
    List<Link> masters = between(List.of(past.name()), names(fleet.masters()));
    masters.forEach(link -> world.network().cut(link.from, link.to));
    for (int i = 0; i < NEW_LEADER_LOOKS && !hasOtherLeader(past); i++) {
      Thread.sleep(10);
    }
    List<Link> links = between(List.of(past.name()), clients);
    links.forEach(link -> world.network().cut(link.from, link.to));
    clients.forEach(name -> world.links().reset(past.name(), name));
    Thread.sleep(500 + millis);
    masters.forEach(link -> world.network().restore(link.from, link.to));
    links.forEach(link -> world.network().restore(link.from, link.to));
  }

  private boolean hasOtherLeader(MasterProcess past) {
    return fleet.masters().stream().anyMatch(m -> m != past && m.isLeader());
  }

  private void flap(long millis) throws InterruptedException {
    List<Link> links = between(List.of(anyMostlyMaster().name()), List.of(any(fleet.all()).name()));
    for (long left = millis; left > 0; left -= 150) {
      cut(links, 20 + random.nextInt(80));
      Thread.sleep(20 + random.nextInt(80));
    }
  }

  private void slowLink(long millis) throws InterruptedException {
    String from = anyMostlyMaster().name();
    String to = any(fleet.all()).name();
    long nanos = 1_000_000L * (50 + random.nextInt(400));
    world
        .network()
        .setConditions(from, to, new Conditions(0, 0, nanos / 2, nanos, 0.05, 4 * nanos));
    Thread.sleep(millis);
    world.network().setConditions(from, to, null);
  }

  private void under(Conditions conditions, long millis) throws InterruptedException {
    world.network().setConditions(conditions);
    Thread.sleep(millis);
    world.network().setConditions(Conditions.GOOD);
  }

  private void reset() {
    SimProcess one = anyMostlyMaster();
    for (String other : fleet.names()) {
      if (random.nextBoolean()) {
        world.links().reset(one.name(), other);
      }
    }
  }

  // --- several things together ---

  private void pingPong(long millis) throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      isolated(
          fleet.masters().get(i % fleet.masters().size()).name(),
          names(fleet.masters()),
          300 + millis / 4);
    }
  }

  private void lag(long millis) throws InterruptedException {
    MasterProcess lagging = any(fleet.masters());
    List<Link> links = between(List.of(lagging.name()), names(fleet.masters()));
    world.log().fault("cut " + describe(links));
    links.forEach(link -> world.network().cut(link.from, link.to));
    Thread.sleep(1000 + millis);
    for (MasterProcess master : fleet.masters()) {
      if (master != lagging) {
        snapshot(master);
      }
    }
    Thread.sleep(500);
    links.forEach(link -> world.network().restore(link.from, link.to));
  }

  private void partitionThenKill(long millis) throws InterruptedException {
    MasterProcess victim = master();
    List<Link> links = between(List.of(victim.name()), fleet.names());
    world.log().fault("cut " + describe(links));
    links.forEach(link -> world.network().cut(link.from, link.to));
    Thread.sleep(millis / 2);
    killed(List.of(victim), millis / 2);
    links.forEach(link -> world.network().restore(link.from, link.to));
  }
}
