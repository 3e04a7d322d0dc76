/// Calls to many nodes by address: pooled connections and a circuit breaker for each.
///
/// Collaborators: `core.wire` carries the calls. Invariants: a slow or dead node costs its callers
/// their own deadline and nobody else's time; an error that a node answers with never counts
/// against it.
@NullMarked
package dev.floe.core.peer;

import org.jspecify.annotations.NullMarked;
