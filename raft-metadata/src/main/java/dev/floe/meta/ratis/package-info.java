/// The replicated log on Apache Ratis.
///
/// `RatisMetaLog` implements `meta.log.MetaLog`; `MetadataStateMachine` applies entries;
/// `RatisProperties` holds every setting of Ratis in one place. Collaborators: `meta.state`,
/// `ratis.storage` for log and snapshots on a medium, `ratis.replication` for what leader and
/// followers exchange; neither knows this package. Invariants: entries are applied by one thread, in
/// order, and an apply never completes exceptionally for an expected error; a node that cannot go on
/// says so to its `FatalErrorHandler` instead of lingering.
@NullMarked
package dev.floe.meta.ratis;

import org.jspecify.annotations.NullMarked;
