/// Tests of `sim.cli`.
@NullMarked
package dev.floe.sim.cli;

import org.jspecify.annotations.NullMarked;
