package dev.floe.sim.check;

/// A rule was broken.
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Invariant invariant;

  public Violation(Invariant invariant, String message) {
    super(message);
    this.invariant = invariant;
  }

  /// The rule.
  public Invariant invariant() {
    return invariant;
  }

  /// Throws unless `holds`.
  public static void unless(
      boolean holds, Invariant invariant, java.util.function.Supplier<String> message) {
    if (!holds) {
      throw new Violation(invariant, message.get());
    }
  }
}
