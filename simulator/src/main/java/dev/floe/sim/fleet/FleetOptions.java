package dev.floe.sim.fleet;

/// What a run is, apart from its seed.
///
/// @param log what is behind the masters
/// @param size how many processes
/// @param chaosSeconds virtual seconds of faults
/// @param hasFaults whether the nemesis is at work
/// @param mutation the planted defect
public record FleetOptions(
    LogKind log, Size size, int chaosSeconds, boolean hasFaults, Mutation mutation) {
  /// The usual run: three of each, over Ratis.
  public static final FleetOptions STANDARD =
      new FleetOptions(LogKind.RATIS, new Size(3, 3, 3), 15, true, Mutation.NONE);

  /// The log behind the masters.
  public enum LogKind {
    /// Real Ratis over the simulated network.
    RATIS,
    /// `ModelLog`.
    MODEL
  }

  /// How many processes there are of each kind.
  public record Size(int masters, int stores, int clients) {
    public Size {
      if (masters < 1 || stores < 1 || clients < 1 || masters > 7 || stores > 9 || clients > 9) {
        throw new IllegalArgumentException(
            "masters "
                + masters
                + " (1..7), stores "
                + stores
                + " (1..9), clients "
                + clients
                + " (1..9)");
      }
    }
  }

  /// The same with one option changed.
  ///
  /// @throws IllegalArgumentException for an unknown name or a bad value
  FleetOptions with(String name, String value) {
    return switch (name) {
      case "--log" ->
          new FleetOptions(
              LogKind.valueOf(value.toUpperCase(java.util.Locale.ROOT)),
              size,
              chaosSeconds,
              hasFaults,
              mutation);
      case "--masters" -> with(new Size(number(name, value), size.stores, size.clients));
      case "--stores" -> with(new Size(size.masters, number(name, value), size.clients));
      case "--clients" -> with(new Size(size.masters, size.stores, number(name, value)));
      case "--chaos" -> new FleetOptions(log, size, number(name, value), hasFaults, mutation);
      case "--faults" ->
          new FleetOptions(log, size, chaosSeconds, Boolean.parseBoolean(value), mutation);
      case "--mutant" -> new FleetOptions(log, size, chaosSeconds, hasFaults, Mutant.named(value));
      default -> throw new IllegalArgumentException("unknown option '" + name + "'");
    };
  }

  private FleetOptions with(Size other) {
    return new FleetOptions(log, other, chaosSeconds, hasFaults, mutation);
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": '" + value + "' is not a number", e);
    }
  }
}
