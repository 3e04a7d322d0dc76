/// Tests of what people are told of a run.
@NullMarked
package dev.floe.sim.explain;

import org.jspecify.annotations.NullMarked;
