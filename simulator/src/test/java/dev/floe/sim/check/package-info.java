/// Tests of `sim.check`.
@NullMarked
package dev.floe.sim.check;

import org.jspecify.annotations.NullMarked;
