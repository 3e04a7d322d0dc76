package dev.floe.sim.fleet;

import dev.floe.meta.client.RetryPolicy;
import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import dev.floe.sim.check.AnswerOracle;
import dev.floe.sim.check.GaugeOracle;
import dev.floe.sim.check.History;
import dev.floe.sim.check.LivenessOracle;
import dev.floe.sim.check.PutBook;
import dev.floe.sim.check.RegisterOperation;
import dev.floe.sim.check.Situations;
import dev.floe.sim.check.StoreOracle;
import dev.floe.sim.check.Violation;
import dev.floe.sim.check.Witness;
import dev.floe.sim.disk.DiskMount;
import dev.floe.sim.disk.DiskOptions;
import dev.floe.sim.disk.SimDisk;
import dev.floe.sim.explain.RunLog;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.ratis.MasterDirectory;
import dev.floe.sim.ratis.SimulatedTime;
import dev.floe.sim.vthread.Seeds;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.wire.SimCalls;
import dev.floe.sim.wire.SimLinkNetwork;
import dev.floe.sim.wire.SimNetwork;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SplittableRandom;

/// What all processes of one run share: the network, the oracles, the options.
final class FleetWorld {
  static final String CLUSTER = "sim";

  /// The times of a cluster that lives fast: each fault that production has to survive fits into a
  /// run of less than a minute. Relations are those of production.
  static final Duration RUNTIME_TTL = Duration.ofSeconds(2);

  static final Duration RUNTIME_GRACE = Duration.ofSeconds(2);
  static final Duration SESSION_TTL = Duration.ofSeconds(9);
  static final int ENTRIES_IN_FLIGHT = 3;
  static final Duration READ_TTL = Duration.ofSeconds(1);
  static final StateConfig STATE = new StateConfig(4_000, 12_000);

  /// A client leaves a master that hangs after a second, in proportion to the elections.
  private static final RetryPolicy RETRIES =
      new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(300), Duration.ofSeconds(1));

  /// What an operation may take when a core is well: a batch of its calls one after the other, each
  /// with the time that a call has.
  static final Duration OPERATION_BOUND = Duration.ofSeconds(12);

  private final Simulation simulation;
  private final FleetOptions options;
  private final Plan plan;
  private final Seeds items;
  private final RunLog log;
  private final FleetDraw draw;
  private final SimNetwork network;
  private final SimCalls calls;
  private final SimLinkNetwork links;
  private final DiskMount mount;
  private final FleetScenario.Places places;
  private final Situations situations = new Situations();
  private final Witness witness;
  private final PutBook puts = new PutBook();
  private final StoreOracle stores;
  private final AnswerOracle answers;
  private final History history = new History();
  private final LivenessOracle liveness;
  private final GaugeOracle gauges = new GaugeOracle();

  /// Writes and removals that may still take effect, or may have.
  private final LinkedHashMap<RegisterOperation, ObjectId> open = new LinkedHashMap<>();

  /// @param plan what is to happen
  FleetWorld(Simulation simulation, FleetOptions options, Plan plan, FleetScenario.Places places) {
    this.simulation = simulation;
    this.options = options;
    this.plan = plan;
    this.items = new Seeds(plan.seed());
    this.log = new RunLog(simulation::nanos);
    this.draw = FleetDraw.of(plan);
    this.network = new SimNetwork(simulation);
    network.watch(log::message);
    this.calls = new SimCalls(network);
    this.links = new SimLinkNetwork(network);
    this.mount = new DiskMount(places.root(), simulation::fail);
    simulation.mount(mount);
    this.places = places;
    this.witness =
        new Witness(
            new MetadataState(options.mutation().state(STATE)),
            STATE,
            situations,
            simulation::nanos);
    this.stores = new StoreOracle(witness.commands(), puts);
    this.answers = new AnswerOracle(witness.timeline());
    this.liveness = new LivenessOracle(OPERATION_BOUND.toNanos());
  }

  MasterOptions.Behaviour behaviour() {
    RatisOptions.Timing timing =
        new RatisOptions.Timing(
            Duration.ofMillis(300), Duration.ofMillis(600), Duration.ofSeconds(3));
    RatisOptions.Storage storage =
        new RatisOptions.Storage(
            new SnapshotTrigger.Thresholds(
                draw.snapshotEntries(), 1L << 20, Duration.ofMinutes(5), Duration.ofSeconds(1)),
            2,
            16 * 1024,
            20,
            8,
            0);
    LeaderOptions leader =
        new LeaderOptions(
            new LeaderOptions.Leases(RUNTIME_TTL, RUNTIME_GRACE, SESSION_TTL, READ_TTL),
            Duration.ofMillis(300),
            ENTRIES_IN_FLIGHT);
    return new MasterOptions.Behaviour(timing, storage, leader, options.mutation().state(STATE));
  }

  /// A master applied an entry.
  void applied(String life, long term, long index, ByteBuffer entry, long digest) {
    simulation.message(life, "apply", index * 31 + digest);
    log.applied(life, term, index);
    judge(() -> witness.applied(life, term, index, entry, digest));
  }

  /// Runs a check; what it finds ends the run.
  void judge(Runnable check) {
    try {
      // Checks use production classes of their own, which are not made for many threads.
      simulation.exclusively(check);
    } catch (Violation e) {
      simulation.fail(e);
    }
  }

  Simulation simulation() {
    return simulation;
  }

  FleetOptions options() {
    return options;
  }

  Plan plan() {
    return plan;
  }

  /// Random streams of the plan's items, which do not depend on the schedule.
  Seeds items() {
    return items;
  }

  RunLog log() {
    return log;
  }

  FleetDraw draw() {
    return draw;
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

  /// The data directory of a new master, on a disk of its own.
  MasterDirectory newDirectory(String master) {
    SplittableRandom random = simulation.seeds().stream("disk " + master);
    DiskOptions disk = DiskOptions.LINUX.withSectorBytes(random.nextBoolean() ? 512 : 4096);
    return new MasterDirectory(
        master, new SimDisk(master, disk, new SimulatedTime(simulation), random), mount);
  }

  Arena memory() {
    return places.memory();
  }

  /// Something has happened that some run must see.
  void seen(String situation) {
    places.seen().accept(situation);
  }

  Situations situations() {
    return situations;
  }

  Witness witness() {
    return witness;
  }

  PutBook puts() {
    return puts;
  }

  StoreOracle stores() {
    return stores;
  }

  AnswerOracle answers() {
    return answers;
  }

  /// Judges when operations end and how.
  LivenessOracle liveness() {
    return liveness;
  }

  /// Judges how large queues are.
  GaugeOracle gauges() {
    return gauges;
  }

  /// How clients repeat what was not answered.
  RetryPolicy retries() {
    return options.mutation().retries(RETRIES);
  }

  History history() {
    return history;
  }

  /// A client begins what changes a key; until it is known what came of it, anything may.
  RegisterOperation open(ObjectId id, RegisterOperation unknown) {
    open.put(unknown, id);
    return unknown;
  }

  /// It is known what came of it.
  void settle(RegisterOperation unknown) {
    open.remove(unknown);
  }

  /// Hands what never became known to the history.
  void closeHistory() {
    open.forEach((operation, id) -> history.add(id, operation));
    open.clear();
  }
}
