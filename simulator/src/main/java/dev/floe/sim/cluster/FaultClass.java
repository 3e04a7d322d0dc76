package dev.floe.sim.cluster;

/// Kinds of faults that a run may have; each seed draws which are on.
public enum FaultClass {
  /// Messages are lost.
  LOSS,
  /// Messages come twice.
  DUPLICATION,
  /// Some messages come very late.
  DELAY,
  /// Messages of one link overtake each other.
  REORDERING,
  /// One direction of a link between masters, or from a client, is cut for a while.
  ONE_WAY_CUT,
  /// A process is cut off from all others for a while.
  ISOLATION,
  /// A master, mostly the leader, dies and starts again from its disk.
  MASTER_KILL,
  /// Restarts begin from the snapshot before the newest.
  OLDER_SNAPSHOT,
  /// A process stands still and returns as a zombie.
  PAUSE,
  /// A runtime dies with its memory and starts again as another incarnation.
  RUNTIME_CRASH,
  /// Writers stall between start, data and end, for longer than the discard timeout at times.
  LATE_WRITER,
  /// A client dies in the middle of its work and starts again with another session.
  CLIENT_CRASH,
  /// The wall clock of a master jumps.
  CLOCK_JUMP
}
