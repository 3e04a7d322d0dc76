package dev.floe.sim.cluster;

import com.google.protobuf.ByteString;

/// The node above its model log: told of entries, snapshots and leadership.
interface LogMachine {
  /// Applies a committed entry; indexes come without gaps.
  void apply(long index, DurableLog.Entry entry);

  /// Replaces the state by the one in a snapshot.
  void restore(DurableLog.SnapshotFile snapshot);

  /// The state as bytes, after the last applied entry.
  ByteString snapshot();

  /// This node leads and has applied every entry of earlier terms.
  void leaderReady(long term);

  /// This node no longer leads; what it proposed may still be committed.
  void notLeader();
}
