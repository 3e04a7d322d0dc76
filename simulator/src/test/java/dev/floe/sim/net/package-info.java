/// Tests of `sim.net`.
@NullMarked
package dev.floe.sim.net;

import org.jspecify.annotations.NullMarked;
