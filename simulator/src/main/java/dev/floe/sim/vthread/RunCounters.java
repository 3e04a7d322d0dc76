package dev.floe.sim.vthread;

/// How much happened in a run.
///
/// @param unblocks threads that got a monitor after waiting for it
/// @param preemptions times that a thread lost the processor without waiting for anything
public record RunCounters(long steps, long timers, long threads, long unblocks, long preemptions) {}
