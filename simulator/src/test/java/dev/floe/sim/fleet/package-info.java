@NullMarked
package dev.floe.sim.fleet;

import org.jspecify.annotations.NullMarked;
