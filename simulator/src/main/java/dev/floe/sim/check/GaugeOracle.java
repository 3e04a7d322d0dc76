package dev.floe.sim.check;

import java.util.Map;
import java.util.TreeMap;

/// Sizes that have bounds: queues, bytes under way, leases, calls in a second. Each is looked at
/// now and then, and once more when nobody has anything to do.
public final class GaugeOracle {
  private final Map<String, Long> peaks = new TreeMap<>();

  /// A size was seen.
  ///
  /// @param what of the gauge, the same for all processes of a kind
  /// @param where it was seen, for the report
  /// @param bound the largest value that is right
  /// @throws Violation `BOUNDED` when it is above
  public void seen(String what, String where, long value, long bound) {
    peaks.merge(what, value, Math::max);
    Violation.unless(
        value <= bound,
        Invariant.BOUNDED,
        () -> what + " of " + where + " is " + value + ", the bound is " + bound);
  }

  /// A size was seen when nobody has anything to do.
  ///
  /// @throws Violation `LEAK` when something is left
  public void seenQuiet(String what, String where, long value) {
    Violation.unless(
        value == 0,
        Invariant.LEAK,
        () -> what + " of " + where + " is " + value + " though nobody has anything to do");
  }

  /// The largest values seen, by name.
  public Map<String, Long> peaks() {
    return Map.copyOf(peaks);
  }

  /// The largest values seen.
  @Override
  public String toString() {
    return peaks.toString();
  }
}
