package dev.floe.sim.plan;

/// A fault of a plan. Its victims follow from the seed and `number`.
///
/// @param number names the item; stays when others are left out
/// @param hand who does it: a hand does one thing after the other
/// @param atMillis virtual time since the start of the faults; later when the hand is still busy
/// @param kind its name in the profile's list of faults
/// @param millis how long it lasts
public record Fault(int number, int hand, long atMillis, String kind, long millis) {
  public Fault {
    if (number < 0 || hand < 0 || atMillis < 0) {
      throw new IllegalArgumentException(
          "fault " + number + " of hand " + hand + " at " + atMillis + ": none may be below 0");
    }
    if (millis < 1) {
      throw new IllegalArgumentException(
          "fault " + number + " lasts " + millis + " ms, but must last 1 or more");
    }
    if (kind.isBlank()) {
      throw new IllegalArgumentException("fault " + number + " has no kind");
    }
  }

  /// The same, over sooner.
  public Fault withMillis(long shorter) {
    return new Fault(number, hand, atMillis, kind, shorter);
  }
}
