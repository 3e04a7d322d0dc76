/// Changes of who takes part in the group of masters, as an operator makes them.
///
/// Used by the nemeses of `sim.ratis` and `sim.fleet`. Invariant: a master that has lost what it
/// promised to keep comes back only after a configuration without it was committed, and empty.
@NullMarked
package dev.floe.sim.member;

import org.jspecify.annotations.NullMarked;
