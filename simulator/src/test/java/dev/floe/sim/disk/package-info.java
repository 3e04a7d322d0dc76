/// Tests of simulated disks.
@NullMarked
package dev.floe.sim.disk;

import org.jspecify.annotations.NullMarked;
