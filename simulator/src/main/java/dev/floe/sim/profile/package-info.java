/// The kinds of runs by name, with one way to run a seed of any of them and one shape of result.
@NullMarked
package dev.floe.sim.profile;

import org.jspecify.annotations.NullMarked;
