/// The command line of the simulator: run seeds, replay one, prove determinism, hunt planted bugs.
///
/// Nothing here decides what happens in a run; it only asks `sim.cluster` and prints. Reads the
/// wall clock for progress and budgets, which never enter a run.
@NullMarked
package dev.floe.sim.cli;

import org.jspecify.annotations.NullMarked;
