/// Coverage by meaning: which sites made trouble in a run, which situations were seen, and which of
/// all that exist in the class files never were.
@NullMarked
package dev.floe.sim.probe;

import org.jspecify.annotations.NullMarked;
