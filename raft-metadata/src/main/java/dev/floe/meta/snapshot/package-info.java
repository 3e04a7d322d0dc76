/// Snapshots of the replicated state: a chunked file format, its writer and its reader.
///
/// Neither ever holds more than a few chunks beside the state itself; writing runs beside apply.
/// Collaborators: `meta.state`, `meta.codec`.
@NullMarked
package dev.floe.meta.snapshot;

import org.jspecify.annotations.NullMarked;
