package dev.floe.sim.ratis;

import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.LinkTransport;
import dev.floe.core.wire.WireOptions;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.wire.SimHost;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A master that can be killed, paused and restarted: production's `MasterNode` in one incarnation
/// after the other.
final class SimMaster {
  private final String name;
  private final World world;
  private final MasterDirectory directory;
  private int lives;
  private @Nullable SimHost host;
  private @Nullable MasterNode node;
  private boolean isPaused;

  SimMaster(String name, World world) {
    this.name = name;
    this.world = world;
    this.directory = world.newDirectory(name);
  }

  /// The peer entry of a master of that name; its name is its address.
  static RatisPeer peer(String name) {
    return new RatisPeer(name, new Endpoint(name, 1), new Endpoint(name, 2));
  }

  String name() {
    return name;
  }

  /// Whether it was started and not killed since.
  boolean isAlive() {
    return host != null && !host.life().isDead();
  }

  boolean isPaused() {
    return isPaused;
  }

  /// The running node.
  MasterNode node() {
    MasterNode now = node;
    if (now == null || !isAlive()) {
      throw new IllegalStateException("master " + name + " is down");
    }
    return now;
  }

  /// Whether it leads and serves, by its own view.
  boolean isLeader() {
    return isAlive() && !isPaused && node != null && node().leadership().isLeaderReady();
  }

  /// Starts the next life and waits until it takes part.
  void start(List<RatisPeer> peers) throws InterruptedException {
    Simulation simulation = world.simulation();
    Incarnation life = simulation.newIncarnation(name + "." + lives++);
    Path now = directory.forNextLife();
    SimHost place = new SimHost(name, life);
    world.network().attach(place);
    host = place;
    CompletableFuture<MasterNode> started = new CompletableFuture<>();
    var _ =
        simulation.spawn(
            life,
            "main",
            () -> {
              try {
                var _ = started.complete(MasterNode.start(options(now, peers), seams(place)));
              } catch (RuntimeException | Error e) {
                var _ = started.completeExceptionally(e);
              }
            });
    try {
      node = started.get();
    } catch (ExecutionException e) {
      throw new AssertionError("RESTART: master " + life + " did not start", e.getCause());
    }
    simulation.event("started " + life);
  }

  private MasterOptions options(Path now, List<RatisPeer> peers) {
    return new MasterOptions(World.CLUSTER, name, now, peers, world.behaviour());
  }

  private MasterNode.Seams seams(SimHost place) {
    Ticker ticker = Ticker.system();
    String life = place.life().name();
    return new MasterNode.Seams(
        new LinkTransport(world.links().at(place), WireOptions.standard(ticker)),
        ticker,
        InstantSource.system(),
        (what, cause) ->
            world
                .simulation()
                .fail(new AssertionError("FATAL: " + life + " gave up: " + what, cause)),
        new SimRaftRpc(place, world.calls()),
        (term, index, entry, digest) -> world.applied(life, term, index, entry.hashCode(), digest));
  }

  /// Ends this life as a power switch of the process does.
  void kill() {
    if (host != null) {
      world.simulation().kill(host.life());
      world.links().died(host);
      directory.disk().processDied();
      isPaused = false;
    }
  }

  void pause() {
    if (host != null) {
      world.simulation().pause(host.life());
      isPaused = true;
    }
  }

  void resume() {
    if (host != null) {
      world.simulation().resume(host.life());
      isPaused = false;
    }
  }
}
