/// What the replicated state consists of: a table for each aggregate, with its part of the digest and
/// of a capture.
///
/// Tables keep records, counts and indexes in step with each other; what a command means is decided
/// in `meta.state`, the only package that may use this one's tables. The records that are in no
/// model (`Counters`, `Abandoned`, `SessionRecord`) are here too, as snapshots keep them.
/// Collaborators: `meta.model`, `meta.place`. Invariants: one thread writes; a capture that is open
/// sees no later write.
@NullMarked
package dev.floe.meta.state.table;

import org.jspecify.annotations.NullMarked;
