package dev.floe.sim.fleet;

import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.LocalClock;
import dev.floe.sim.wire.SimHost;
import org.jspecify.annotations.Nullable;

/// A process that can be killed, paused and started again at the same address, on a machine with
/// clocks of its own. A life ends without a word: no `finally`, no close.
abstract class SimProcess {
  private final String name;
  private final FleetWorld world;
  private final LocalClock clock = new LocalClock();
  private int lives;
  private @Nullable SimHost host;
  private boolean isPaused;

  SimProcess(String name, FleetWorld world) {
    this.name = name;
    this.world = world;
  }

  String name() {
    return name;
  }

  FleetWorld world() {
    return world;
  }

  /// The clocks of its machine.
  LocalClock clock() {
    return clock;
  }

  /// The number of its present or last life, from 0 on.
  int life() {
    return lives - 1;
  }

  boolean isAlive() {
    return host != null && !host.life().isDead();
  }

  boolean isRunning() {
    return isAlive() && !isPaused;
  }

  /// Its present place, or null before its first life.
  @Nullable SimHost host() {
    return host;
  }

  /// Starts the next life when it is down; what the node does to start, it does in its own time.
  void start() {
    if (isAlive() || !mayStart()) {
      return;
    }
    Incarnation life = world.simulation().newIncarnation(name + "." + lives++, clock);
    SimHost place = new SimHost(name, life);
    world.network().attach(place);
    host = place;
    isPaused = false;
    world.simulation().event("start " + life);
    world.log().process(name, "starts, life " + life());
    prepare();
    var _ =
        world
            .simulation()
            .spawn(
                life,
                "main",
                () -> {
                  try {
                    run(place);
                  } catch (InterruptedException | RuntimeException | Error e) {
                    world
                        .simulation()
                        .fail(new AssertionError("RESTART: " + life + " did not start", e));
                  }
                });
  }

  /// Whether its machine lets a process start.
  boolean mayStart() {
    return true;
  }

  /// What the machine does before the process starts, in no time.
  abstract void prepare();

  /// Starts the node; on a thread of the new life.
  abstract void run(SimHost place) throws InterruptedException;

  /// Ends this life as a power switch of the process does.
  void kill() {
    SimHost now = host;
    if (now != null && isAlive()) {
      world.simulation().kill(now.life());
      world.log().process(name, "is killed");
      world.links().died(now);
      isPaused = false;
    }
  }

  void pause() {
    SimHost now = host;
    if (now != null && isRunning()) {
      world.simulation().pause(now.life());
      world.log().process(name, "is paused");
      isPaused = true;
    }
  }

  void resume() {
    SimHost now = host;
    if (now != null && isAlive() && isPaused) {
      world.simulation().resume(now.life());
      world.log().process(name, "goes on");
      isPaused = false;
    }
  }
}
