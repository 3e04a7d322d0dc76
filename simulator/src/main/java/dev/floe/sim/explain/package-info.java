/// Tells people what happened in a run: notes that a run takes, and diagrams made of them.
@NullMarked
package dev.floe.sim.explain;

import org.jspecify.annotations.NullMarked;
