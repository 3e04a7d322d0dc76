package dev.floe.sim.boot;

/// Marks a channel of the simulation: its own methods do all that is needed.
public interface Simulated {}
