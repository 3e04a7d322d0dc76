package dev.floe.sim.wire;

/// How messages travel while no link is cut.
///
/// @param loss probability that a message is lost; on a byte stream it is sent again, which delays
///     all that follow
/// @param duplication probability that a message arrives twice; never on a byte stream
/// @param latencyMinNanos shortest way
/// @param latencyMaxNanos longest usual way; messages overtake each other within this range
/// @param slow probability that a message takes much longer
/// @param slowMaxNanos the longest way of all
public record Conditions(
    double loss,
    double duplication,
    long latencyMinNanos,
    long latencyMaxNanos,
    double slow,
    long slowMaxNanos) {
  /// A good local network: 0.2 to 2 ms, one in a thousand up to 50 ms, one in 500 lost.
  public static final Conditions GOOD =
      new Conditions(0.002, 0.002, 200_000, 2_000_000, 0.001, 50_000_000);

  /// The same with more loss.
  public Conditions withLoss(double probability) {
    return new Conditions(
        probability, duplication, latencyMinNanos, latencyMaxNanos, slow, slowMaxNanos);
  }

  /// The same with more repetition.
  public Conditions withDuplication(double probability) {
    return new Conditions(loss, probability, latencyMinNanos, latencyMaxNanos, slow, slowMaxNanos);
  }
}
