/// Tests of `sim.cluster`.
@NullMarked
package dev.floe.sim.cluster;

import org.jspecify.annotations.NullMarked;
