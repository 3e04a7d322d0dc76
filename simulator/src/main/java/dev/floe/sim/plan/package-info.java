/// What a run is, written down: the faults with their times, the operations, the knobs. A plan
/// follows from a seed, can be written to a file, changed, and run again.
///
/// Everything that an item decides depends on the seed and the item's number alone, so that leaving
/// one item out changes none of the others.
@NullMarked
package dev.floe.sim.plan;

import org.jspecify.annotations.NullMarked;
