package dev.floe.meta.model;

/// What keeps an object from being evicted, beside its readers.
///
/// @param group the objects that are evicted together with this one, by name; empty for none
/// @param isHardPinned never evicted, only removed
/// @param softPinnedUntilMillis leader time until which it is evicted only when nothing else is
///     left; 0 for not at all
public record Retention(String group, boolean isHardPinned, long softPinnedUntilMillis) {
  /// Nothing keeps it.
  public static final Retention NONE = new Retention("", false, 0);

  /// Whether it is soft-pinned at a leader time.
  public boolean isSoftPinnedAt(long millis) {
    return softPinnedUntilMillis > millis;
  }

  public Retention withSoftPinUntil(long millis) {
    return new Retention(group, isHardPinned, millis);
  }
}
