package dev.floe.sim.ratis;

import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.state.StateConfig;
import dev.floe.sim.disk.DiskMount;
import dev.floe.sim.disk.DiskOptions;
import dev.floe.sim.disk.SimDisk;
import dev.floe.sim.mutant.MasterMutant;
import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.wire.SimCalls;
import dev.floe.sim.wire.SimLinkNetwork;
import dev.floe.sim.wire.SimNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;

/// What all processes of one run share: the network, the oracle, the options.
final class World {
  static final String CLUSTER = "sim";

  /// The disks of a run.
  ///
  /// @param root where they are: another path for each run of a JVM
  /// @param mutant a planted bug
  record Disks(Path root, MasterMutant mutant) {}

  private final Simulation simulation;
  private final SimNetwork network;
  private final SimCalls calls;
  private final SimLinkNetwork links;
  private final DiskMount mount;
  private final Incarnation house;
  private final MasterMutant mutant;
  private final ApplyOracle oracle = new ApplyOracle();
  private final VoteOracle votes = new VoteOracle();
  private final MasterOptions.Behaviour behaviour;

  World(Simulation simulation, RatisScenario.Options options, Disks disks) {
    this.simulation = simulation;
    this.network = new SimNetwork(simulation);
    this.calls = new SimCalls(network);
    this.links = new SimLinkNetwork(network);
    this.mount = new DiskMount(disks.root(), simulation::fail);
    simulation.mount(mount);
    this.mutant = disks.mutant();
    this.house = simulation.newIncarnation("house");
    this.behaviour = behaviour(options);
  }

  /// Production's behaviour with short elections and small logs, so that a short run has leader
  /// changes, snapshots and purges. Leases of the test's runtime and sessions outlast every fault.
  private static MasterOptions.Behaviour behaviour(RatisScenario.Options options) {
    RatisOptions.Timing timing =
        new RatisOptions.Timing(
            Duration.ofMillis(300), Duration.ofMillis(600), Duration.ofSeconds(3));
    RatisOptions.Storage storage =
        new RatisOptions.Storage(
            new SnapshotTrigger.Thresholds(
                options.snapshotEntries(), 1L << 20, Duration.ofMinutes(5), Duration.ofSeconds(1)),
            2,
            16 * 1024,
            20,
            8,
            0);
    LeaderOptions leader =
        new LeaderOptions(
            new LeaderOptions.Leases(
                Duration.ofMinutes(10),
                Duration.ofMinutes(10),
                Duration.ofMinutes(10),
                Duration.ofSeconds(1)),
            Duration.ofMillis(500),
            3);
    return new MasterOptions.Behaviour(
        timing, storage, leader, new StateConfig(1_200_000, 1_800_000));
  }

  void voted(String voter, long term, String candidate) {
    try {
      votes.voted(voter, term, candidate);
    } catch (AssertionError e) {
      simulation.fail(e);
    }
  }

  void applied(String life, long term, long index, int entryHash, long digest) {
    simulation.message(life, "apply", index * 31 + digest);
    try {
      oracle.applied(life, term, index, entryHash, digest);
    } catch (AssertionError e) {
      simulation.fail(e);
    }
  }

  Simulation simulation() {
    return simulation;
  }

  SimNetwork network() {
    return network;
  }

  SimCalls calls() {
    return calls;
  }

  SimLinkNetwork links() {
    return links;
  }

  /// The bug that was planted.
  MasterMutant mutant() {
    return mutant;
  }

  /// Where things happen that belong to no process.
  Incarnation house() {
    return house;
  }

  /// The data directory of a new master, on a disk of its own.
  MasterDirectory newDirectory(String master) {
    SplittableRandom random = simulation.seeds().stream("disk " + master);
    DiskOptions options = DiskOptions.LINUX.withSectorBytes(random.nextBoolean() ? 512 : 4096);
    SimDisk disk = new SimDisk(master, options, new SimulatedTime(simulation), random);
    return new MasterDirectory(master, disk, mount);
  }

  ApplyOracle oracle() {
    return oracle;
  }

  MasterOptions.Behaviour behaviour() {
    return behaviour;
  }
}
