package dev.floe.sim.disk;

import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.UUID;

/// Runs production code on a simulated disk, life after life.
final class OnSimDisk {
  private final SimDisk disk;
  private final DiskMount mount;
  private int lives;

  private OnSimDisk(Simulation simulation) {
    this.disk = new SimDisk("d", DiskOptions.LINUX, DiskTime.NONE, new SplittableRandom(1));
    this.mount =
        new DiskMount(Path.of("/floe-sim-disk", UUID.randomUUID().toString()), simulation::fail);
    simulation.mount(mount);
  }

  interface Body {
    void run(OnSimDisk on) throws Exception;
  }

  static void run(Body body) {
    Simulation.Outcome outcome =
        Simulation.run(SimOptions.of(1), simulation -> body.run(new OnSimDisk(simulation)));
    if (outcome.failure() != null) {
      throw new AssertionError(outcome.failure());
    }
  }

  SimDisk disk() {
    return disk;
  }

  /// The disk's root as the next life sees it.
  Path nextLife() {
    return mount.attach("life" + lives++, disk);
  }

  /// The same after all that was not forced is gone.
  Path afterPowerLoss() {
    disk.powerLoss(PowerLoss.NOTHING);
    return nextLife();
  }
}
