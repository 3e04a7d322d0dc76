package dev.floe.sim.fleet;

import java.util.Arrays;

/// A kind of fault. `FleetNemesis` draws its victims and how long it lasts.
enum FleetFault {
  /// Kills a master, most often the leader, and starts it again.
  KILL_MASTER,
  /// Kills all masters at once.
  KILL_ALL_MASTERS,
  /// Kills a store, which comes back with a higher epoch and empty memory.
  KILL_STORE,
  /// Kills a client in the middle of what it does; another one takes its place.
  KILL_CLIENT,
  /// Kills everything at once.
  KILL_ALL,
  /// Cuts a master's power: what its disk was not made to keep is lost, in whole or in part.
  POWER_MASTER,
  /// Cuts the power of all masters, and a sector that is being written is torn.
  POWER_ALL_MASTERS,
  /// Makes a master's disk slow: up to 1 ms to 2 s more for each operation.
  SLOW_DISK,
  /// Stops a master, which comes back as a leader that does not know it is none.
  PAUSE_MASTER,
  /// Stops a store, perhaps past its lease: it comes back as a zombie.
  PAUSE_STORE,
  /// Stops a client, perhaps past its session.
  PAUSE_CLIENT,
  /// Cuts a process off from everyone.
  ISOLATE,
  /// Cuts a master off from the other masters; everyone else still reaches it.
  MASTERS_ONLY,
  /// Drops what one process sends to another.
  ONE_WAY,
  /// Cuts the cluster into two halves.
  HALVES,
  /// Two halves that only one master reaches both of.
  BRIDGE,
  /// A leader that is cut off and does not know it yet, with one client that asks it; the others
  /// change things at its successor.
  TWO_WORLDS,
  /// Cuts and mends a link again and again.
  FLAP,
  /// A link on which everything takes long.
  SLOW_LINK,
  /// Loses a fifth of all messages.
  LOSS,
  /// Repeats a third of all messages.
  DUPLICATION,
  /// Everything takes longer, some things much longer, so messages overtake each other.
  DELAY,
  /// Breaks the connections of two processes: answers to what was executed are lost.
  RESET,
  /// Messages of long ago arrive, also at later lives.
  STALE_MESSAGES,
  /// The wall clock of a machine is wrong.
  CLOCK_JUMP,
  /// The clocks of a machine run too fast or too slow.
  CLOCK_RATE,
  /// The leader hands the lead over.
  LEADERSHIP,
  /// A master takes a snapshot, behind which the log is purged.
  SNAPSHOT,
  /// Kills each new leader as soon as it serves.
  LEADER_HUNT,
  /// Cuts off one master after the other, so that each in turn is in the minority.
  MINORITY_PING_PONG,
  /// Keeps a master away until the others have purged what it lacks.
  LAG_THEN_SNAPSHOT,
  /// Cuts the leader off and kills it while it is.
  PARTITION_THEN_KILL,
  /// Mends the network and kills the leader at once.
  HEAL_THEN_KILL,
  /// Removes a master from the group, wipes its disk and adds it again.
  MEMBERSHIP,
  /// A master's disk says that it has kept what it has not, and loses its power; the master is
  /// replaced by an empty one. Never two masters at a time.
  LYING_DISK;

  /// Whether it needs a log whose members can change.
  boolean changesMembers() {
    return this == MEMBERSHIP || this == LYING_DISK;
  }

  /// The kind of that name.
  ///
  /// @throws IllegalArgumentException naming all
  static FleetFault named(String name) {
    for (FleetFault fault : values()) {
      if (fault.name().equals(name)) {
        return fault;
      }
    }
    throw new IllegalArgumentException(
        "there is no fault '" + name + "'; there are " + Arrays.toString(values()));
  }

  /// About how long it keeps the hand busy that does it.
  long lasting(long millis) {
    return switch (this) {
      case RESET, CLOCK_JUMP, CLOCK_RATE, LEADERSHIP, SNAPSHOT -> 0;
      case PAUSE_MASTER, PAUSE_STORE -> 2 * millis;
      case PAUSE_CLIENT -> 3 * millis;
      case MINORITY_PING_PONG -> 1200 + millis;
      case LAG_THEN_SNAPSHOT -> 1500 + millis;
      case LEADER_HUNT -> 1500;
      default -> millis;
    };
  }
}
