package dev.floe.sim.fleet;

import dev.floe.core.error.FloeException;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.state.MetadataView;
import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Violation;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.wire.SimHost;
import dev.floe.store.client.GetOptions;
import dev.floe.store.client.value.ValueSink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// The end of a run, when all processes are well and no client is at work: nothing may be left
/// over, everything that is recorded must be readable, and all histories must have an order.
final class FleetAudit {
  private static final Duration GET_LIMIT = Duration.ofSeconds(10);

  private final FleetWorld world;
  private final Fleet fleet;
  private final Simulation simulation;

  FleetAudit(FleetWorld world, Fleet fleet) {
    this.world = world;
    this.fleet = fleet;
    this.simulation = world.simulation();
  }

  void run(Duration limit) throws InterruptedException {
    quiesce(limit);
    noConnectionIsLeft();
    readAll();
    FleetScenario.await(simulation, fleet, limit, "equal masters", fleet::isConverged);
    for (MasterProcess master : fleet.masters()) {
      MasterNode node = master.node();
      Violation.unless(
          node != null && node.divergences() == 0,
          Invariant.STATE_MACHINE_SAFETY,
          () -> master.name() + " saw a digest of the leader that differs from its own");
    }
    world.witness().checkState();
    world.closeHistory();
    world.history().check(world.witness().timeline());
  }

  /// Waits until all that timeouts have to clear away is gone.
  private void quiesce(Duration limit) throws InterruptedException {
    long until = simulation.nanos() + limit.toNanos();
    while (!isQuiet()) {
      if (simulation.nanos() > until) {
        throw new Violation(
            Invariant.LEAK,
            "left after "
                + limit
                + ": "
                + world.witness().state().totals()
                + " routes "
                + routes()
                + "\n"
                + fleet.describe());
      }
      Thread.sleep(200);
    }
  }

  private boolean isQuiet() {
    MetadataView.Totals totals = world.witness().state().totals();
    return totals.writing() == 0
        && totals.abandonedBytes() == 0
        && totals.sessions() <= fleet.stores().size()
        && fleet.leaderOrNull() != null
        && fleet.stores().stream().allMatch(StoreProcess::isMounted);
  }

  private List<ObjectRoute> routes() {
    return world.witness().state().list(TenantId.DEFAULT, "", null, 10_000);
  }

  /// Clients have left: nobody holds a connection to or from them, no handler runs for them.
  private void noConnectionIsLeft() throws InterruptedException {
    List<String> clients = fleet.clients().stream().map(SimProcess::name).toList();
    for (SimProcess process : fleet.all()) {
      SimHost host = process.host();
      if (host == null) {
        continue;
      }
      boolean isClient = clients.contains(process.name());
      FleetScenario.await(
          simulation,
          fleet,
          Duration.ofSeconds(20),
          "end of connections of " + host.life() + ": " + world.links().openLinks(host),
          () ->
              world.links().openLinks(host).stream()
                  .noneMatch(remote -> isClient || clients.contains(remote)));
      FleetScenario.await(
          simulation,
          fleet,
          Duration.ofSeconds(5),
          "moment without handler threads in " + host.life(),
          () -> !simulation.threadsOf(host.life()).contains("floe-handler"));
    }
  }

  /// Reads everything, as a client that comes now.
  private void readAll() throws InterruptedException {
    SimHost host = new SimHost("audit", simulation.newIncarnation("audit"));
    world.network().attach(host);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    var _ =
        simulation.spawn(
            host.life(),
            "audit",
            () -> {
              try {
                ClientProcess.Connected client =
                    ClientProcess.connect(world, host, fleet.endpoints());
                routes().forEach(route -> read(client, route));
                ReplicaAudit replicas = new ReplicaAudit(world, client.peers());
                routes().forEach(replicas::check);
                client.close();
                var _ = done.complete(true);
              } catch (RuntimeException | Error e) {
                var _ = done.completeExceptionally(e);
              }
            });
    try {
      var _ = done.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Violation violation) {
        throw violation;
      }
      throw new AssertionError("AUDIT: reading everything failed", e.getCause());
    }
  }

  private void read(ClientProcess.Connected client, ObjectRoute route) {
    ObjectId id = route.id();
    ObjectKey key = id.key();
    if (route.state() != RouteState.ACTIVE) {
      throw new Violation(Invariant.LEAK, id + " is " + route.state() + " after all is quiet");
    }
    Judge judge = new Judge(world, "audit");
    Judge.Read read = judge.read(key.value(), 0);
    byte[] into = new byte[Math.toIntExact(route.content().sizeBytes())];
    try {
      judge.got(
          read,
          client
              .objects()
              .get(key.value(), ValueSink.of(into), GetOptions.DEFAULT.withTimeout(GET_LIMIT)),
          into);
    } catch (FloeException e) {
      throw new Violation(
          Invariant.ACKED_OBJECT_LOST,
          "when all is well " + route + " cannot be read: " + e.getMessage());
    }
  }
}
