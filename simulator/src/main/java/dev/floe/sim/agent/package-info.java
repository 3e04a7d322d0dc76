/// The java agent that makes the simulation deterministic without a change to any source.
///
/// While classes are loaded it replaces the calls that would reach the machine's clock, threads,
/// random numbers and disk by calls of `sim.boot.Hooks`: in Ratis, in our own code, and in the JDK
/// classes that wait or start threads. It uses `java.lang.classfile` and nothing outside of the
/// JDK. `ClassRewriter` says what is replaced where. Invariant: a class that cannot be rewritten is
/// an error that stops the simulation, never a silent gap.
@NullMarked
package dev.floe.sim.agent;

import org.jspecify.annotations.NullMarked;
