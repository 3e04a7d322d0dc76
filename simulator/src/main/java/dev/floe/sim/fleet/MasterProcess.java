package dev.floe.sim.fleet;

import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.link.LinkTransport;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.node.LogSource;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.ApplyObserver;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.sim.disk.PowerLoss;
import dev.floe.sim.disk.SimDisk;
import dev.floe.sim.member.Member;
import dev.floe.sim.ratis.MasterDirectory;
import dev.floe.sim.ratis.SimRaftRpc;
import dev.floe.sim.wire.SimHost;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A master: production's `MasterNode`, one life after the other on what the last one left.
final class MasterProcess extends SimProcess implements Member {
  private final List<RatisPeer> peers;
  private final ModelLogGroup model;
  private MasterDirectory directory;
  private int disks;
  private boolean isJoining;
  private boolean isLeaving;
  private boolean isLying;
  private boolean hasForgotten;
  private @Nullable Path folder;
  private @Nullable MasterNode node;

  MasterProcess(String name, FleetWorld world, List<RatisPeer> peers, ModelLogGroup model) {
    super(name, world);
    this.peers = List.copyOf(peers);
    this.model = model;
    this.directory = world.newDirectory(name);
  }

  /// The peer entry of a master of that name; its name is its address.
  static RatisPeer peer(String name) {
    return new RatisPeer(name, new Endpoint(name, 1), new Endpoint(name, 2));
  }

  @Override
  public MasterAddress address() {
    RatisPeer self = peer(name());
    return new MasterAddress(self.node(), self.raftEndpoint(), self.rpcEndpoint());
  }

  @Override
  public @Nullable MaintainedLog logOrNull() {
    MasterNode now = node();
    return now == null ? null : now.log();
  }

  @Override
  public void act(Runnable work) {
    SimHost place = host();
    if (place != null && isAlive()) {
      var _ = world().simulation().spawn(place.life(), "operator", work);
    }
  }

  @Override
  public void leaving() {
    isLeaving = true;
  }

  @Override
  public void wipe() {
    kill();
    directory = world().newDirectory(name() + "-disk" + ++disks);
    isJoining = true;
    isLeaving = false;
    isLying = false;
    hasForgotten = false;
  }

  @Override
  public void startAgain() {
    start();
  }

  /// From now on its disk says that it has kept what it has not. When it loses its power this master
  /// has broken its promises, and must not come back with what is left.
  void lie(double probability) {
    isLying = true;
    disk().faults().lieAboutForce(probability);
  }

  @Override
  boolean mayStart() {
    return !hasForgotten;
  }

  /// The running node, or null while there is none.
  @Nullable MasterNode node() {
    return isAlive() ? node : null;
  }

  @Override
  public boolean isLeader() {
    MasterNode now = node();
    return now != null && isRunning() && now.leadership().isLeaderReady();
  }

  @Override
  void kill() {
    if (isAlive()) {
      super.kill();
      directory.disk().processDied();
    }
  }

  /// Its disk, which outlives its processes.
  SimDisk disk() {
    return directory.disk();
  }

  /// Its machine loses its power.
  void power(PowerLoss loss) {
    kill();
    disk().powerLoss(loss);
    hasForgotten |= isLying;
  }

  @Override
  void prepare() {
    node = null;
    folder = directory.forNextLife();
  }

  @Override
  void run(SimHost place) {
    Path now = folder;
    if (now == null) {
      throw new IllegalStateException("master " + name() + " has no folder");
    }
    MasterNode started =
        MasterNode.start(
            new MasterOptions(
                FleetWorld.CLUSTER,
                name(),
                now,
                new RatisOptions.Group(peers, isJoining),
                world().behaviour()),
            seams(place));
    node = started;
    world().simulation().event("started " + place.life());
  }

  private MasterNode.Seams seams(SimHost place) {
    Ticker ticker = Ticker.system();
    String life = place.life().name();
    ApplyObserver observer =
        (term, index, entry, digest) -> world().applied(life, term, index, entry, digest);
    LogSource real =
        switch (world().options().log()) {
          case RATIS -> LogSource.ratis(new SimRaftRpc(place, world().calls()), observer);
          case MODEL -> model.source(place, observer);
        };
    return new MasterNode.Seams(
        new LinkTransport(world().links().at(place), WireOptions.standard(ticker)),
        ticker,
        InstantSource.system(),
        (what, cause) -> gaveUp(life, what, cause),
        (options, format, clock, fatal) ->
            world()
                .options()
                .mutation()
                .log(real.open(options, format, clock, fatal), FleetWorld.READ_TTL));
  }

  private void gaveUp(String life, String what, Throwable cause) {
    if (!isLeaving) {
      world().simulation().fail(new AssertionError("FATAL: " + life + " gave up: " + what, cause));
    }
    // A master that was removed ends by itself; nothing of it goes on until it is wiped.
    while (isLeaving) {
      LockSupport.park();
    }
  }
}
