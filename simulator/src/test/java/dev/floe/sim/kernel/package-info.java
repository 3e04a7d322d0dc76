/// Tests of `sim.kernel`.
@NullMarked
package dev.floe.sim.kernel;

import org.jspecify.annotations.NullMarked;
