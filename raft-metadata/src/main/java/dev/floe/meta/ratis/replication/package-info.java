/// What leader and followers of Ratis exchange, put right where Ratis 3.2.2 errs.
///
/// `FollowerGate` and `GatedRaftServer` stand before a follower's log, `SnapshotNeed`,
/// `SnapshotOffer` and `AppenderRevival` beside a leader's log appender; `FloeGrpcRpcType` puts them
/// into Ratis's gRPC.
/// Knows nothing of ours. Invariant: what a follower acknowledges is in its log.
@NullMarked
package dev.floe.meta.ratis.replication;

import org.jspecify.annotations.NullMarked;
