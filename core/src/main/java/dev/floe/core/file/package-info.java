/// A node's own files: its data directory, who it belongs to, and files that are replaced as a
/// whole.
///
/// Collaborators: `core.error`. Invariants: one process has a directory at a time; a directory
/// belongs to one node for ever; a file written here is either the old or the new one after a crash.
@NullMarked
package dev.floe.core.file;

import org.jspecify.annotations.NullMarked;
