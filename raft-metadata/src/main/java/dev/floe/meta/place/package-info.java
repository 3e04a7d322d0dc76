/// Where replicas go: the allocator of a segment and the strategies that choose among runtimes.
///
/// Pure and deterministic structures without clocks, threads or chance; the same calls in the same
/// order give the same places on every JVM. Collaborators: `meta.model`, `meta.command`; used by
/// `meta.state`, which makes them part of the replicated state.
@NullMarked
package dev.floe.meta.place;

import org.jspecify.annotations.NullMarked;
