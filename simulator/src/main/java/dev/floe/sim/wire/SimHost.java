package dev.floe.sim.wire;

import dev.floe.sim.vthread.Incarnation;

/// One life of a process at its place in the network.
///
/// @param name its address, the same for all lives
public record SimHost(String name, Incarnation life) {}
