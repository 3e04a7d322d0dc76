/// Planted bugs: production's parts of whole clusters and of masters, wrapped so that they do one
/// thing wrong. Each names the rules of which one must fail, so a bug that nothing finds shows what
/// the oracles, the faults or the workload lack. Production code has no part in it.
@NullMarked
package dev.floe.sim.mutant;

import org.jspecify.annotations.NullMarked;
