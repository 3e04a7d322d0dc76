/// The replicated state: pure, total and deterministic.
///
/// `MetadataState.apply` is the only way to change it; a class for each kind of commands does the
/// work, on a table for each aggregate (`state.table`). It reads no clock, no random source, and no
/// iteration order that can differ between JVMs. One thread applies; any number of threads read
/// through `MetadataView` without locks. Collaborators: `meta.model`, `meta.command`, `meta.place`.
@NullMarked
package dev.floe.meta.state;

import org.jspecify.annotations.NullMarked;
