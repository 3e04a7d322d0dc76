/// What a master keeps on its medium: the segments of Ratis's log and the snapshots of the state.
///
/// `LogTailRepair` looks at the log before Ratis does and `SegmentScan` reads a segment of it;
/// `SnapshotFiles` and `SnapshotWorker` write, find and drop snapshots, `SnapshotTrigger` says when
/// one is due, and `StateFormat` how entries and snapshots look as bytes. Collaborators:
/// `meta.state`, `meta.codec`, `meta.snapshot`. Invariants: nothing that a medium confirmed is cut
/// off; a snapshot appears under its name whole and forced, or not at all.
@NullMarked
package dev.floe.meta.ratis.storage;

import org.jspecify.annotations.NullMarked;
