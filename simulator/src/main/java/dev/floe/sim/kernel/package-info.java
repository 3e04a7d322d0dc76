/// The simulated machine room: virtual time, seeded randomness, lanes that crash and pause, and the
/// trace.
///
/// One thread runs everything. No wall clock, no thread, no file and no iteration order of hashed
/// collections enters a run, so a seed and the code decide every event; the rolling hash of the
/// trace proves it. Randomness is stateless where it can be: a draw is a function of (seed, name,
/// counter), so taking one event away leaves the draws of all others alone. Collaborators:
/// `core.time`.
@NullMarked
package dev.floe.sim.kernel;

import org.jspecify.annotations.NullMarked;
