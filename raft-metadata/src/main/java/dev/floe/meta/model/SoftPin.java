package dev.floe.meta.model;

/// What a write does to its object's soft pin when it is complete.
public sealed interface SoftPin {
  /// Leaves it as it is; a new object gets none.
  record Preserve() implements SoftPin {
    public static final Preserve INSTANCE = new Preserve();
  }

  /// Takes it away.
  record Disable() implements SoftPin {
    public static final Disable INSTANCE = new Disable();
  }

  /// Pins for a time that counts from the moment when the write is complete.
  ///
  /// @param ttlMillis 1 to `Limits.SOFT_PIN_MILLIS_MAX`
  record Enable(long ttlMillis) implements SoftPin {}

  /// The leader time until which the object is pinned when a write with this is complete.
  ///
  /// @param beforeMillis the end of the pin that the object has, 0 for none
  default long untilMillis(long nowMillis, long beforeMillis) {
    return switch (this) {
      case Preserve _ -> beforeMillis > nowMillis ? beforeMillis : 0;
      case Disable _ -> 0;
      case Enable enable -> nowMillis + enable.ttlMillis();
    };
  }
}
