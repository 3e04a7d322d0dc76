package dev.floe.sim.ratis;

import dev.floe.sim.disk.DiskMount;
import dev.floe.sim.disk.SimDisk;
import java.nio.file.Path;

/// The data directory of a simulated master on its simulated disk. Each life finds what the one
/// before left, under a path of its own.
public final class MasterDirectory {
  private final String master;
  private final SimDisk disk;
  private final DiskMount mount;
  private int lives;

  /// @param mount where the disk is seen
  public MasterDirectory(String master, SimDisk disk, DiskMount mount) {
    this.master = master;
    this.disk = disk;
    this.mount = mount;
  }

  /// The disk that it is on.
  public SimDisk disk() {
    return disk;
  }

  /// Where the next life finds it.
  public Path forNextLife() {
    return mount.attach(master + "-" + lives++, disk).resolve("data");
  }
}
