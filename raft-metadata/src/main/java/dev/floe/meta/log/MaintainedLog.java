package dev.floe.meta.log;

import dev.floe.core.time.Deadline;

/// A log with what an operator asks of it: snapshots, where it begins, and who shall lead.
///
/// Safe for many threads.
public interface MaintainedLog extends MetaLog {
  /// Starts a snapshot with the next entry.
  void requestSnapshot();

  /// The index of the newest durable snapshot, -1 for none.
  long snapshotIndex();

  /// Where the log begins: entries before it were purged behind a snapshot.
  long logStartIndex();

  /// Asks this node, which must lead, to hand the lead to another one, and waits for it.
  ///
  /// @return whether the other one took over; when not, any node may lead, this one too
  boolean transferLeadership(String toNode, Deadline deadline);

  /// The members by the newest configuration in this node's log, committed or not.
  Membership membership();

  /// Whether these are the members and this node knows that their configuration is committed: no
  /// leader will ever follow from an older one.
  boolean isCommitted(Membership membership);

  /// Takes a master into the group, when its members are the expected ones: whoever changes them at
  /// the same time cannot get in between. One master is added or removed at a time. The new one
  /// runs already, started as one that joins, with an empty folder; when this returns true it has
  /// the log and counts.
  ///
  /// @return false when the members are others; nothing was changed then
  /// @throws dev.floe.core.error.FloeException `NOT_LEADER`; `UNAVAILABLE` when another change is under
  ///     way or the new master does not answer, and nothing was changed; `UNKNOWN_OUTCOME` when the
  ///     change may still come about: `membership` of the leader tells
  boolean addMaster(Membership expected, MasterAddress added, Deadline deadline);

  /// Takes a master out of the group, under the same conditions as `addMaster`. From then on nobody
  /// counts on what it has stored; its process ends by itself. It may come back as one that joins,
  /// with an empty folder. The leader cannot be removed: hand the lead over first.
  ///
  /// @return false when the members are others; nothing was changed then
  /// @throws dev.floe.core.error.FloeException as `addMaster`; `INVALID_ARGUMENT` for the leader and for the
  ///     last member
  boolean removeMaster(Membership expected, String node, Deadline deadline);
}
