package dev.floe.sim.cluster;

import dev.floe.sim.check.Oracles;
import dev.floe.sim.kernel.Lane;
import dev.floe.sim.kernel.Scheduler;
import dev.floe.sim.kernel.SimRandom;
import dev.floe.sim.kernel.Trace;
import dev.floe.sim.net.SimNetwork;

/// What every part of a run shares.
record World(
    SimOptions options,
    SimRandom random,
    Scheduler scheduler,
    Trace trace,
    SimNetwork network,
    Oracles oracles) {
  /// A new process with this name.
  SimProcess newProcess(String name) {
    return new SimProcess(name, new Lane(scheduler), random.stream("process/" + name));
  }

  /// A process: a name, a lane, and randomness of its own.
  record SimProcess(String name, Lane lane, SimRandom.Stream random) {}
}
