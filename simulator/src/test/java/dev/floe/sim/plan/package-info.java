/// Tests of plans.
@NullMarked
package dev.floe.sim.plan;

import org.jspecify.annotations.NullMarked;
