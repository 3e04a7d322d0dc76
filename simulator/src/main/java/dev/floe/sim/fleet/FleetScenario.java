package dev.floe.sim.fleet;

import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Violation;
import dev.floe.sim.explain.RunLog;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.wire.SimHost;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One run of a whole cluster, in phases.
///
/// 1. Start: masters, a leader, stores, clients.
/// 2. Chaos: the nemesis is at work; only safety is checked.
/// 3. Core: a majority of masters and enough stores are well, the others stay broken. Every client
///    has to get answers.
/// 4. Heal: everything is well, clients stop. Every operation has to end.
/// 5. Quiesce: nothing unfinished and nothing of the dead may be left.
/// 6. Audit: every object is read, all masters are compared.
public final class FleetScenario implements Simulation.Scenario {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration CORE_GRACE = Duration.ofSeconds(15);
  private static final Duration CORE_WORK = Duration.ofSeconds(3);
  private static final Duration CORE_PROOF = Duration.ofSeconds(10);
  private static final Duration END_LIMIT = Duration.ofSeconds(40);
  private static final Duration QUIESCE_LIMIT = Duration.ofSeconds(60);

  private static final List<String> BROKEN =
      List.of(" is dead", " is paused", " is cut off", " is not heard");

  private final FleetOptions options;
  private final Plan plan;
  private final Places places;
  private String summary = "";
  private @Nullable FleetWorld world;
  private @Nullable Fleet fleet;

  /// @param plan what is to happen
  public FleetScenario(FleetOptions options, Plan plan, Places places) {
    this.options = options;
    this.plan = plan;
    this.places = places;
  }

  /// What a run finds outside of itself.
  ///
  /// @param root where its disks are, another one for each run of a JVM
  /// @param memory for the segments of stores; outlives the run's processes
  /// @param seen told of each fault
  public record Places(Path root, Arena memory, Consumer<String> seen) {}

  /// What happened, in one line; empty when the run did not come to its end.
  public String summary() {
    return summary;
  }

  /// What is worth telling of the run.
  public RunLog log() {
    FleetWorld now = world;
    return now == null ? new RunLog(() -> 0) : now.log();
  }

  /// What every process and every call is at; of a run that stands still.
  public String state() {
    Fleet now = fleet;
    return now == null || world == null ? "nothing has begun" : now.roles() + world.log().state();
  }

  @Override
  public void run(Simulation simulation) throws Exception {
    FleetWorld made = new FleetWorld(simulation, options, plan, places);
    world = made;
    Fleet fleet = new Fleet(made);
    this.fleet = fleet;
    simulation.event("options " + options + " " + made.draw());
    made.log().watchLeader(fleet::leaderName);
    start(simulation, fleet);
    FaultPlayer nemesis = new FaultPlayer(made, fleet);
    Gauges gauges = new Gauges(made, fleet);
    gauges.start();
    nemesis.start();
    Thread.sleep(Duration.ofSeconds(options.chaosSeconds()));
    nemesis.stop();
    if (options.hasFaults()) {
      core(made, fleet);
    }
    heal(made, fleet);
    gauges.stop();
    gauges.quiet();
    new FleetAudit(made, fleet).run(QUIESCE_LIMIT);
    summary = summarize(made, fleet, nemesis);
  }

  private static void start(Simulation simulation, Fleet fleet) throws InterruptedException {
    fleet.masters().forEach(SimProcess::start);
    await(simulation, fleet, START_LIMIT, "a first leader", () -> fleet.leaderOrNull() != null);
    fleet.stores().forEach(SimProcess::start);
    await(
        simulation,
        fleet,
        START_LIMIT,
        "all stores mounted",
        () -> fleet.stores().stream().allMatch(StoreProcess::isMounted));
    fleet.clients().forEach(SimProcess::start);
  }

  /// Waits for something that has to come.
  static void await(
      Simulation simulation, Fleet fleet, Duration limit, String what, BooleanSupplier isThere)
      throws InterruptedException {
    long until = simulation.nanos() + limit.toNanos();
    while (!isThere.getAsBoolean()) {
      if (simulation.nanos() > until) {
        throw new Violation(
            Invariant.LIVENESS,
            "no "
                + what
                + " within "
                + limit
                + ":\n"
                + fleet.describe()
                + simulation.describeThreads());
      }
      Thread.sleep(50);
    }
  }

  // --- a core is well ---

  private static void core(FleetWorld world, Fleet fleet) throws InterruptedException {
    world.log().fault("the faults are over, a core is well");
    SplittableRandom random = world.items().stream("core");
    List<SimProcess> rest = new ArrayList<>();
    rest.addAll(some(fleet.masters(), (fleet.masters().size() - 1) / 2, random));
    rest.addAll(some(fleet.stores(), (fleet.stores().size() - 1) / 2, random));
    world.network().heal();
    for (SimProcess process : fleet.all()) {
      if (rest.contains(process)) {
        breakForEver(world, fleet, process, random.nextInt(4));
      } else {
        process.resume();
        process.start();
      }
    }
    Thread.sleep(CORE_GRACE);
    long since = world.simulation().nanos();
    world.liveness().wellSince(since);
    Thread.sleep(CORE_WORK);
    await(
        world.simulation(),
        fleet,
        CORE_PROOF,
        "answers to every client from the core without "
            + rest.stream().map(SimProcess::name).toList(),
        () ->
            fleet.clients().stream()
                .allMatch(
                    client ->
                        client.workers().stream().anyMatch(w -> w.tally().lastNanos() > since)));
  }

  private static <T> List<T> some(List<T> all, int count, SplittableRandom random) {
    List<T> left = new ArrayList<>(all);
    List<T> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(left.remove(random.nextInt(left.size())));
    }
    return some;
  }

  private static void breakForEver(FleetWorld world, Fleet fleet, SimProcess process, int how) {
    world.simulation().event("broken " + how + " " + process.name());
    world.log().fault("stays broken: " + process.name() + BROKEN.get(how));
    switch (how) {
      case 0 -> process.kill();
      case 1 -> process.pause();
      case 2 -> world.network().isolate(process.name(), fleet.names());
      default -> {
        for (String other : fleet.names()) {
          world.network().cut(process.name(), other);
        }
      }
    }
  }

  // --- all is well ---

  private static void heal(FleetWorld world, Fleet fleet) throws InterruptedException {
    world.log().fault("all is well");
    world.network().heal();
    for (SimProcess process : fleet.all()) {
      process.resume();
      process.start();
      process.clock().setRate(world.simulation().nanos(), 1);
    }
    fleet.clients().forEach(ClientProcess::stop);
    await(
        world.simulation(),
        fleet,
        END_LIMIT,
        "end of every operation",
        () -> fleet.clients().stream().allMatch(ClientProcess::isIdle));
    fleet.clients().forEach(ClientProcess::leave);
    for (ClientProcess client : fleet.clients()) {
      SimHost host = client.host();
      if (host != null) {
        await(
            world.simulation(),
            fleet,
            END_LIMIT,
            "end of all threads of " + host.life(),
            () -> world.simulation().threadsOf(host.life()).isEmpty());
      }
    }
  }

  private static String summarize(FleetWorld world, Fleet fleet, FaultPlayer nemesis) {
    WorkTally tally = new WorkTally();
    fleet.clients().forEach(c -> tally.addAll(c.tally()));
    return tally
        + " puts="
        + world.puts().count()
        + " "
        + world.stores().counts()
        + " faults="
        + nemesis.done()
        + " terms="
        + world.witness().maxTerm()
        + " applies="
        + world.witness().applies()
        + " checkpoints="
        + world.witness().checkpoints()
        + " judgedWhenWell="
        + world.liveness().judged()
        + " peaks="
        + world.gauges()
        + " keysChecked="
        + world.history().checked()
        + " keysUndecided="
        + world.history().undecided()
        + " "
        + world.network().statistics();
  }
}
