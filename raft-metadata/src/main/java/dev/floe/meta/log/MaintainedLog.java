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
}
