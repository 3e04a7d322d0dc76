package dev.floe.sim.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.link.LinkTransport;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.node.LogSource;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.sim.disk.PowerLoss;
import dev.floe.sim.disk.SimDisk;
import dev.floe.sim.member.Member;
import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.Simulation;
import dev.floe.sim.wire.SimHost;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A master that can be killed, paused and restarted: production's `MasterNode` in one incarnation
/// after the other.
final class SimMaster implements Member {
  private static final Duration START_LIMIT = Duration.ofMinutes(10);

  private final String name;
  private final World world;
  private MasterDirectory directory;
  private List<RatisPeer> peers = List.of();
  private int disks;
  private boolean isJoining;
  private boolean isLeaving;
  private int lives;
  private @Nullable SimHost host;
  private @Nullable MasterNode node;
  private @Nullable CompletableFuture<MasterNode> starting;
  private final List<String> exits = new ArrayList<>();
  private boolean isPaused;
  private boolean isSuspect;
  private boolean isOut;
  private long feltBefore;

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

  @Override
  public MasterAddress address() {
    RatisPeer self = peer(name);
    return new MasterAddress(self.node(), self.raftEndpoint(), self.rpcEndpoint());
  }

  @Override
  public @Nullable MaintainedLog logOrNull() {
    return isAlive() && node != null ? node().log() : null;
  }

  @Override
  public void act(Runnable work) {
    SimHost place = host;
    if (place != null && isAlive()) {
      var _ = world.simulation().spawn(place.life(), "operator", work);
    }
  }

  @Override
  public void leaving() {
    isLeaving = true;
  }

  @Override
  public void wipe() {
    kill();
    directory = world.newDirectory(name + "-disk" + ++disks);
    isJoining = true;
    isLeaving = false;
    isSuspect = false;
    isOut = false;
  }

  @Override
  public void startAgain() throws InterruptedException {
    if (!isAlive()) {
      var _ = start(peers);
    }
  }

  /// Whether its disk may have lost what it promised to keep.
  boolean isSuspect() {
    return isSuspect;
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
  @Override
  public boolean isLeader() {
    return isAlive() && !isPaused && node != null && node().leadership().isLeaderReady();
  }

  /// Its disk.
  SimDisk disk() {
    return directory.disk();
  }

  /// Something on its disk may be damaged: from now on it may refuse to start, or exit.
  void suspectDisk() {
    isSuspect = true;
  }

  /// Whether it stays down for the rest of the run, because of its disk.
  boolean isOut() {
    return isOut;
  }

  /// Why it ended by itself or refused to start, each time.
  List<String> exits() {
    return List.copyOf(exits);
  }

  private boolean hasDiskTrouble() {
    return isSuspect || disk().faults().felt() > feltBefore;
  }

  /// Starts the next life and waits until it takes part. With a disk that has, or had, faults it
  /// may refuse with a reason instead; when the disk is well again and it still does, it is out.
  ///
  /// @return whether it runs
  boolean start(List<RatisPeer> all) throws InterruptedException {
    Simulation simulation = world.simulation();
    peers = List.copyOf(all);
    node = null;
    Incarnation life = simulation.newIncarnation(name + "." + lives++);
    Path now = directory.forNextLife();
    SimHost place = new SimHost(name, life);
    world.network().attach(place);
    host = place;
    feltBefore = disk().faults().felt();
    world.mutant().beforeStart(disk());
    CompletableFuture<MasterNode> started = new CompletableFuture<>();
    starting = started;
    var _ =
        simulation.spawn(
            life,
            "main",
            () -> {
              try {
                var _ = started.complete(MasterNode.start(options(now), seams(place)));
              } catch (RuntimeException | Error e) {
                var _ = started.completeExceptionally(e);
              }
            });
    try {
      node = started.get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      return refused(life, e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("RESTART: master " + life + " hangs while it starts", e);
    }
    world.mutant().afterStart(disk());
    simulation.event("started " + life);
    return true;
  }

  private boolean refused(Incarnation life, @Nullable Throwable why) {
    if (life.isDead()) {
      return false;
    }
    if (!hasDiskTrouble() || !(why instanceof FloeException)) {
      throw new AssertionError("RESTART: master " + life + " did not start", why);
    }
    ended(life, "refused to start: " + why.getMessage());
    kill();
    return false;
  }

  private void ended(Incarnation life, String why) {
    // Messages may hold paths, which differ between runs.
    world.simulation().event("ended " + life);
    exits.add(life + " " + why);
    isOut |= isSuspect && !disk().faults().isActive();
  }

  /// The process exits; the thread that asked for it goes no further.
  private void gaveUp(SimHost place, String what, Throwable cause) {
    if (!hasDiskTrouble() && !isLeaving) {
      world
          .simulation()
          .fail(new AssertionError("FATAL: " + place.life() + " gave up: " + what, cause));
      return;
    }
    world
        .simulation()
        .after(
            world.house(),
            0,
            "exit of " + place.life(),
            () -> {
              if (place.equals(host) && !place.life().isDead()) {
                ended(place.life(), "exited: " + what);
                kill();
                var _ =
                    Objects.requireNonNull(starting)
                        .completeExceptionally(
                            new FloeException(ErrorCode.IO_ERROR, "exited: " + what, cause));
              }
            });
    while (true) {
      LockSupport.park();
    }
  }

  private MasterOptions options(Path now) {
    return new MasterOptions(
        World.CLUSTER, name, now, new RatisOptions.Group(peers, isJoining), world.behaviour());
  }

  private MasterNode.Seams seams(SimHost place) {
    Ticker ticker = Ticker.system();
    String life = place.life().name();
    // With an empty disk it is another voter: it counts only after the group went on without it.
    String suffix = disks == 0 ? "" : "-disk" + disks;
    return new MasterNode.Seams(
        new LinkTransport(world.links().at(place), WireOptions.standard(ticker)),
        ticker,
        InstantSource.system(),
        (what, cause) -> gaveUp(place, what, cause),
        LogSource.ratis(
            new SimRaftRpc(
                place,
                world.calls(),
                (voter, term, candidate) -> world.voted(voter + suffix, term, candidate),
                world.mutant().omission()),
            (term, index, entry, digest) ->
                world.applied(life, term, index, entry.hashCode(), digest)));
  }

  /// Ends this life: the process is gone, its machine lives on.
  void kill() {
    if (host != null) {
      world.simulation().kill(host.life());
      world.links().died(host);
      directory.disk().processDied();
      isPaused = false;
    }
  }

  /// The machine loses its power.
  void power(PowerLoss loss) {
    kill();
    disk().powerLoss(loss);
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
