package dev.floe.meta.leader;

/// How much a master has on its hands as a leader: sizes of soft state, not all of one instant.
///
/// @param queuedCommands commands that wait to be proposed
/// @param entriesUnderWay entries that were proposed and not answered yet
/// @param readLeases read leases that are kept; 0 when it does not lead
/// @param sessionLeases client sessions whose leases are watched; 0 when it does not lead
public record LeaderLoad(
    int queuedCommands, int entriesUnderWay, int readLeases, int sessionLeases) {}
