/// Runs that share nothing with each other: each has classes of its own.
///
/// Needed where threads may lose the processor at any point of synchronisation: what a static
/// initialiser or a cache does only once would shift everything after it. Collaborators:
/// `sim.profile`.
@NullMarked
package dev.floe.sim.isolate;

import org.jspecify.annotations.NullMarked;
