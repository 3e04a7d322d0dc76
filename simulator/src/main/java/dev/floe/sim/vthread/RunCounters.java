package dev.floe.sim.vthread;

/// How much happened in a run.
///
/// @param unblocks threads that got a monitor after waiting for it
public record RunCounters(long steps, long timers, long threads, long unblocks) {}
