package dev.floe.sim.vthread;

import org.jspecify.annotations.Nullable;

/// A virtual thread of the simulation.
final class SimThread {
  final int number;
  final String name;
  final Incarnation owner;
  final Thread virtual;
  final Runnable continuation;

  /// The platform thread that this one runs in the place of.
  final @Nullable Thread platform;

  boolean isAtMonitor;

  SimThread(int number, String name, Incarnation owner, Thread virtual, @Nullable Thread platform) {
    this.number = number;
    this.name = name;
    this.owner = owner;
    this.virtual = virtual;
    this.continuation = JdkThreads.continuationOf(virtual);
    this.platform = platform;
  }

  @Override
  public String toString() {
    return number + " " + owner + " " + name;
  }
}
