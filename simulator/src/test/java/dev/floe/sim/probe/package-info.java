/// Tests of the probes.
@NullMarked
package dev.floe.sim.probe;

import org.jspecify.annotations.NullMarked;
