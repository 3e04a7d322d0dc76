package dev.floe.sim.net;

/// How bad the network is while faults are on.
///
/// @param lossProbability of each message
/// @param duplicateProbability of each message
/// @param jitterMicros added to the base delay, uniformly
/// @param tailProbability of each message to be delayed by up to `tailMillis`
/// @param tailMillis the longest delay
/// @param mayReorder whether messages of one link may overtake each other
public record NetworkFaults(
    double lossProbability,
    double duplicateProbability,
    long jitterMicros,
    double tailProbability,
    long tailMillis,
    boolean mayReorder) {
  /// A healthy network.
  public static final NetworkFaults NONE = new NetworkFaults(0, 0, 50, 0, 0, false);
}
