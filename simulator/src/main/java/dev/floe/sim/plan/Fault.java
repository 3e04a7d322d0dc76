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
    if (number < 0 || hand < 0 || atMillis < 0 || millis < 1 || kind.isBlank()) {
      throw new IllegalArgumentException(
          "fault "
              + number
              + ": number, hand "
              + hand
              + " and at "
              + atMillis
              + " must be 0 or more, for "
              + millis
              + " 1 or more, and kind '"
              + kind
              + "' a name");
    }
  }

  /// The same, over sooner.
  public Fault withMillis(long shorter) {
    return new Fault(number, hand, atMillis, kind, shorter);
  }
}
