/// Memory for values: a bounded pool of aligned direct buffers, and checksums over memory of any
/// length.
///
/// Collaborators: `core.error`, `core.time`. Invariants: the pool never holds more bytes than its
/// bound, lent and idle together; a buffer is lent to one holder at a time; every buffer starts at a
/// multiple of 4096, so that it fits direct I/O.
@NullMarked
package dev.floe.core.buffer;

import org.jspecify.annotations.NullMarked;
