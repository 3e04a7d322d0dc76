package dev.floe.sim.fleet;

import dev.floe.meta.leader.LeaderLoad;
import dev.floe.meta.node.MasterNode;
import dev.floe.sim.check.GaugeOracle;
import java.util.HashMap;
import java.util.Map;

/// Looks at the sizes of queues, leases and bytes under way of all processes, several times a second.
final class Gauges {
  private static final int PAUSE_MILLIS = 100;
  private static final int LOOKS_OF_A_SECOND = 10;

  /// Calls to masters that one thread of a client may make in a second: a pause that doubles from
  /// 10 ms on, over and over, with redirects that are followed at once.
  private static final long CALLS_MAX = 60;

  private final FleetWorld world;
  private final Fleet fleet;
  private final Map<String, Long> callsBefore = new HashMap<>();
  private boolean isStopping;

  Gauges(FleetWorld world, Fleet fleet) {
    this.world = world;
    this.fleet = fleet;
  }

  /// Begins to look.
  void start() {
    var _ =
        world.simulation().spawn(world.simulation().newIncarnation("gauges"), "gauges", this::run);
  }

  void stop() {
    isStopping = true;
  }

  private void run() {
    try {
      for (int look = 0; !isStopping; look++) {
        Thread.sleep(PAUSE_MILLIS);
        boolean isSecond = look % LOOKS_OF_A_SECOND == 0;
        world.judge(() -> look(isSecond));
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      world.simulation().fail(e);
    }
  }

  private void look(boolean isSecond) {
    for (MasterProcess master : fleet.masters()) {
      MasterNode node = master.node();
      if (node != null && master.isRunning()) {
        look(master.name(), node.load());
      }
    }
    for (ClientProcess client : fleet.clients()) {
      ClientProcess.Connected parts = client.connected();
      if (parts == null) {
        continue;
      }
      gauges()
          .seen(
              "client bytes under way",
              client.name(),
              parts.objects().inFlightBytes(),
              ClientProcess.IN_FLIGHT_BYTES);
      gauges()
          .seen(
              "client buffer bytes",
              client.name(),
              parts.store().buffers().outstandingBytes(),
              ClientProcess.BUFFER_BYTES);
      if (isSecond) {
        calls(client, parts.calls().get());
      }
    }
    world.liveness().look(world.simulation().nanos());
  }

  private void look(String name, LeaderLoad load) {
    FleetDraw.Knobs knobs = world.draw().knobs();
    int threads = threadsOfClients() * fleet.clients().size();
    // What killed clients have sent, and what was given up and sent again, waits a second at most.
    long commands = 2L * threads * Workload.BATCH_MAX + 2L * fleet.stores().size();
    gauges().seen("queued commands", name, load.queuedCommands(), commands);
    gauges().seen("entries under way", name, load.entriesUnderWay(), FleetWorld.ENTRIES_IN_FLIGHT);
    gauges().seen("read leases", name, load.readLeases(), knobs.hotKeys() + knobs.coldKeys());
    gauges()
        .seen(
            "session leases",
            name,
            load.sessionLeases(),
            fleet.all().stream().mapToInt(SimProcess::life).sum() + 2L * fleet.all().size());
  }

  private void calls(ClientProcess client, long calls) {
    Long before = callsBefore.put(client.name() + "." + client.life(), calls);
    if (before != null) {
      gauges()
          .seen(
              "calls of a client in a second",
              client.name(),
              calls - before,
              CALLS_MAX * threadsOfClients());
    }
  }

  private int threadsOfClients() {
    return world.draw().knobs().workers() + world.draw().knobs().readers();
  }

  /// Looks once more when nobody has anything to do.
  void quiet() {
    world.judge(
        () -> {
          for (MasterProcess master : fleet.masters()) {
            MasterNode node = master.node();
            if (node != null) {
              gauges().seenQuiet("queued commands", master.name(), node.load().queuedCommands());
            }
          }
          for (ClientProcess client : fleet.clients()) {
            ClientProcess.Connected parts = client.connected();
            if (parts != null) {
              gauges()
                  .seenQuiet(
                      "client bytes under way", client.name(), parts.objects().inFlightBytes());
              gauges()
                  .seenQuiet(
                      "client buffer bytes",
                      client.name(),
                      parts.store().buffers().outstandingBytes());
            }
          }
        });
  }

  private GaugeOracle gauges() {
    return world.gauges();
  }
}
