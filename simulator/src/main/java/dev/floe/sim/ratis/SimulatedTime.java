package dev.floe.sim.ratis;

import dev.floe.sim.disk.DiskTime;
import dev.floe.sim.vthread.Simulation;
import java.util.concurrent.locks.LockSupport;

/// The time of disks in a simulation.
public final class SimulatedTime implements DiskTime {
  private final Simulation simulation;

  /// The time of that run.
  public SimulatedTime(Simulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public void spend(long nanos) {
    simulation.spend(nanos);
  }

  @Override
  public void await(long nanos) {
    long until = simulation.nanos() + nanos;
    while (simulation.nanos() < until && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(until - simulation.nanos());
    }
  }

  @Override
  public void note(String disk, String what, long hash) {
    simulation.message(disk, what, hash);
  }
}
