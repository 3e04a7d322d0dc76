package dev.floe.sim.ratis;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.MetadataView;
import dev.floe.sim.mutant.MasterMutant;
import dev.floe.sim.plan.SizeLimit;
import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.wire.SimHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Three masters, some clients, faults; then everything heals and the end state is checked.
///
/// Checked after every apply: `ApplyOracle`. With every answer: `KeyModel`. At the end: every
/// operation has ended, all masters have the same digest at the same index, every acknowledged
/// write is there in the version that was acknowledged and nothing that was removed is, and no
/// master has seen a digest of the leader that differs from its own.
public final class RatisScenario implements Simulation.Scenario {
  private static final Duration CONVERGENCE_LIMIT = Duration.ofSeconds(60);
  private static final int RUNTIMES = 3;

  private final Options options;
  private final World.Disks disks;
  private final List<ClientWorkload> workloads = new ArrayList<>();
  private String summary = "";
  private @Nullable RatisCluster cluster;

  /// @param root where the simulated disks are; another path for each run of a JVM
  public RatisScenario(Options options, Path root) {
    this(options, root, MasterMutant.NONE);
  }

  /// The same with a planted bug.
  public RatisScenario(Options options, Path root, MasterMutant mutant) {
    this.options = options;
    this.disks = new World.Disks(root, mutant);
  }

  /// What happens in a run.
  ///
  /// @param operations of each client
  /// @param thinkMillis mean pause between two operations of a client
  /// @param snapshotEntries log entries between two snapshots of a master
  /// @param hasFaults whether the nemesis is at work
  public record Options(
      int masters,
      int clients,
      int operations,
      int thinkMillis,
      int snapshotEntries,
      boolean hasFaults) {
    /// A short run with faults: a second or less of CPU in a warm JVM.
    public static final Options SHORT = new Options(3, 3, 100, 40, 60, true);

    /// With or without the nemesis.
    public Options withFaults(boolean wanted) {
      return new Options(masters, clients, operations, thinkMillis, snapshotEntries, wanted);
    }

    /// The numbers that can be chosen; `think` in virtual milliseconds.
    public static final List<SizeLimit> SIZES =
        List.of(
            new SizeLimit("masters", 1, 7),
            new SizeLimit("clients", 1, 64),
            new SizeLimit("operations", 1, 100_000),
            new SizeLimit("think", 1, 60_000),
            new SizeLimit("snapshot-entries", 1, 1_000_000));

    /// With one number changed.
    ///
    /// @param name one of `SIZES`
    /// @throws IllegalArgumentException for an unknown name or a bad value
    public Options withSize(String name, String value) {
      int number = SizeLimit.named(SIZES, name).read(value);
      return switch (name) {
        case "masters" ->
            new Options(number, clients, operations, thinkMillis, snapshotEntries, hasFaults);
        case "clients" ->
            new Options(masters, number, operations, thinkMillis, snapshotEntries, hasFaults);
        case "operations" ->
            new Options(masters, clients, number, thinkMillis, snapshotEntries, hasFaults);
        case "think" ->
            new Options(masters, clients, operations, number, snapshotEntries, hasFaults);
        case "snapshot-entries" ->
            new Options(masters, clients, operations, thinkMillis, number, hasFaults);
        default -> throw new IllegalStateException(name + " is in SIZES and nowhere else");
      };
    }
  }

  /// What happened, in one line; of the last run.
  public String summary() {
    return summary;
  }

  /// What every master and client is at; of a run that stands still.
  public String state() {
    RatisCluster now = cluster;
    StringBuilder text = new StringBuilder(now == null ? "  nothing has begun\n" : now.roles());
    workloads.forEach(workload -> text.append("  ").append(workload.state()).append('\n'));
    return text.toString();
  }

  @Override
  public void run(Simulation simulation) throws Exception {
    World world = new World(simulation, options, disks);
    RatisCluster cluster = new RatisCluster(world, options.masters());
    this.cluster = cluster;
    cluster.startDead();
    setUp(world, cluster);
    Nemesis nemesis = new Nemesis(world, cluster, clientNames());
    simulation.event("options " + options + " faults " + nemesis.faults());
    CountDownLatch running = startClients(world, cluster);
    while (running.getCount() > 0) {
      if (options.hasFaults()) {
        nemesis.next();
      } else {
        running.await();
      }
    }
    world.network().heal();
    cluster.startDead();
    awaitConvergence(simulation, cluster);
    checkEnd(cluster);
    summarize(world, cluster, nemesis);
  }

  private List<String> clientNames() {
    List<String> names = new ArrayList<>(List.of("ops"));
    for (int i = 0; i < options.clients(); i++) {
      names.add("c" + i);
    }
    return names;
  }

  /// Runtimes with memory, so that writes find room.
  private static void setUp(World world, RatisCluster cluster) {
    SimHost host = host(world, "ops");
    MetadataClient client = ClientWorkload.connect(world, host, cluster.endpoints());
    Deadline deadline = Deadline.after(Ticker.system(), Duration.ofMinutes(1));
    for (int i = 0; i < RUNTIMES; i++) {
      RuntimeId runtime = new RuntimeId("r" + i);
      MetadataReply registered =
          client.submit(
              new MetadataCommand.RegisterRuntime(
                  runtime, new SessionId(1, i), new Endpoint("r" + i, 1), Map.of()),
              deadline);
      if (!(registered instanceof MetadataReply.RuntimeRegistered done)) {
        throw new AssertionError("no runtime could be registered: " + registered);
      }
      MetadataReply mounted =
          client.submit(
              new MetadataCommand.MountSegment(runtime, done.epoch(), "memory", 1L << 30),
              deadline);
      if (!(mounted instanceof MetadataReply.SegmentMounted)) {
        throw new AssertionError("no segment could be mounted: " + mounted);
      }
    }
  }

  private static SimHost host(World world, String name) {
    Incarnation life = world.simulation().newIncarnation(name);
    SimHost host = new SimHost(name, life);
    world.network().attach(host);
    return host;
  }

  private CountDownLatch startClients(World world, RatisCluster cluster) {
    CountDownLatch running = new CountDownLatch(options.clients());
    for (int i = 0; i < options.clients(); i++) {
      SimHost host = host(world, "c" + i);
      ClientWorkload workload = new ClientWorkload(world, host, options.thinkMillis());
      workloads.add(workload);
      var _ =
          world
              .simulation()
              .spawn(
                  host.life(),
                  host.name(),
                  () -> {
                    try {
                      workload.run(cluster.endpoints(), options.operations());
                    } catch (InterruptedException | RuntimeException | AssertionError e) {
                      world.simulation().fail(e);
                    }
                    running.countDown();
                  });
    }
    return running;
  }

  private static void awaitConvergence(Simulation simulation, RatisCluster cluster)
      throws InterruptedException {
    long until = simulation.nanos() + CONVERGENCE_LIMIT.toNanos();
    while (cluster.isIncomplete() || !cluster.isConverged()) {
      if (simulation.nanos() > until) {
        throw new AssertionError(
            "CONVERGENCE: the masters differ "
                + CONVERGENCE_LIMIT
                + " after all faults ended:\n"
                + cluster.describe());
      }
      Thread.sleep(50);
      cluster.startDead();
    }
  }

  private void checkEnd(RatisCluster cluster) {
    for (SimMaster master : cluster.alive()) {
      MetadataView view = master.node().log().localView();
      for (ClientWorkload workload : workloads) {
        workload.keys().forEach(key -> checkKey(master.name(), view, key));
      }
      if (master.node().divergences() != 0) {
        throw new AssertionError("DIVERGENCE: " + master.name() + " saw another digest");
      }
    }
  }

  private static void checkKey(String master, MetadataView view, KeyModel key) {
    ObjectRoute route = view.route(ObjectId.of(key.name()));
    boolean isRight =
        switch (key.state()) {
          case ABSENT -> route == null;
          case WRITING ->
              route != null
                  && route.state() == RouteState.WRITING
                  && route.version().equals(key.version());
          case PRESENT ->
              route != null
                  && route.state() == RouteState.ACTIVE
                  && route.version().equals(key.version());
        };
    if (!isRight) {
      throw new AssertionError(
          "DURABILITY: "
              + key.name()
              + " is "
              + key.state()
              + " in version "
              + key.version()
              + " but "
              + master
              + " has "
              + route);
    }
  }

  private void summarize(World world, RatisCluster cluster, Nemesis nemesis) throws FloeException {
    long snapshots =
        cluster.alive().stream().mapToLong(m -> m.node().log().snapshotIndex()).max().orElse(-1);
    long start =
        cluster.alive().stream().mapToLong(m -> m.node().log().logStartIndex()).max().orElse(-1);
    summary =
        "answered="
            + workloads.stream().mapToInt(ClientWorkload::answered).sum()
            + " unknown="
            + workloads.stream().mapToInt(ClientWorkload::unknown).sum()
            + " unavailable="
            + workloads.stream().mapToInt(ClientWorkload::failed).sum()
            + " faults="
            + nemesis.done()
            + nemesis.faults()
            + " disk="
            + nemesis.diskStrikes()
            + " replaced="
            + cluster.membership().done()
            + " exits="
            + cluster.masters().stream().mapToInt(m -> m.exits().size()).sum()
            + " out="
            + cluster.masters().stream().filter(SimMaster::isOut).count()
            + " terms="
            + world.oracle().maxTerm()
            + " applies="
            + world.oracle().entries()
            + " snapshotAt="
            + snapshots
            + " logFrom="
            + start;
  }
}
