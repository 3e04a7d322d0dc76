package dev.floe.sim.fleet;

import dev.floe.sim.plan.Fault;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Plays the faults of a plan: each hand does one thing after the other and mends what it broke.
final class FaultPlayer {
  private final FleetWorld world;
  private final Fleet fleet;
  private final Map<FleetFault, Integer> done = new TreeMap<>();
  private boolean isStopping;
  private int busy;

  FaultPlayer(FleetWorld world, Fleet fleet) {
    this.world = world;
    this.fleet = fleet;
  }

  /// Sets all hands to work.
  void start() {
    var life = world.simulation().newIncarnation("nemesis");
    long began = world.simulation().nanos();
    List<Integer> hands = world.plan().faults().stream().map(Fault::hand).distinct().toList();
    for (int hand : hands) {
      busy++;
      List<Fault> faults =
          world.plan().faults().stream().filter(fault -> fault.hand() == hand).toList();
      var _ = world.simulation().spawn(life, "hand" + hand, () -> play(faults, began));
    }
  }

  /// Waits until every hand has mended what it broke; what has not begun does not happen.
  void stop() throws InterruptedException {
    isStopping = true;
    while (busy > 0) {
      Thread.sleep(20);
    }
  }

  private void play(List<Fault> faults, long began) {
    try {
      for (Fault fault : faults) {
        long early = began + fault.atMillis() * 1_000_000 - world.simulation().nanos();
        if (early > 0) {
          Thread.sleep(early / 1_000_000, (int) (early % 1_000_000));
        }
        if (isStopping) {
          break;
        }
        strike(fault);
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      world.simulation().fail(e);
    }
    busy--;
  }

  private void strike(Fault fault) throws InterruptedException {
    FleetFault kind = FleetFault.named(fault.kind());
    world.simulation().event("fault " + kind);
    world.log().fault("fault " + fault.number() + " " + kind + " for " + fault.millis() + " ms");
    new FleetNemesis(world, fleet, world.items().stream("fault " + fault.number()))
        .strike(kind, fault.millis());
    world.log().fault("fault " + fault.number() + " is over");
    var _ = done.merge(kind, 1, Integer::sum);
    world.seen(situation(kind));
  }

  /// The name under which a kind of fault is counted.
  static String situation(FleetFault kind) {
    return "fault." + kind;
  }

  /// What was done how often.
  Map<FleetFault, Integer> done() {
    return done;
  }
}
