package dev.floe.sim.mutant;

/// What a master leaves out of what it adds to Ratis, so that a fault of Ratis is there again: a
/// planted bug.
public enum Omission {
  /// Nothing: the masters of production.
  NOTHING,
  /// A leader concludes nothing from the answer to a heartbeat.
  HEARTBEAT_PROVES_NOTHING
}
