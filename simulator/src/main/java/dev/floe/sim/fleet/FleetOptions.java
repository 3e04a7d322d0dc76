package dev.floe.sim.fleet;

import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a run is, apart from its seed.
///
/// @param log what is behind the masters
/// @param size how many processes
/// @param chaosSeconds virtual seconds of faults
/// @param hasFaults whether the nemesis is at work, and whether a broken rest remains for a while
/// @param hasTrouble whether seeds may let the probes' sites make trouble
/// @param mutation the planted defect
public record FleetOptions(
    LogKind log,
    Size size,
    int chaosSeconds,
    boolean hasFaults,
    boolean hasTrouble,
    Mutation mutation) {
  /// The usual run: three of each, over Ratis.
  public static final FleetOptions STANDARD =
      new FleetOptions(LogKind.RATIS, new Size(3, 3, 3), 15, true, true, Mutation.NONE);

  private static final int CHAOS_SECONDS_MAX = 600;

  public FleetOptions {
    if (chaosSeconds < 1 || chaosSeconds > CHAOS_SECONDS_MAX) {
      throw new IllegalArgumentException(
          "chaos is "
              + chaosSeconds
              + " seconds, but must be 1 to "
              + CHAOS_SECONDS_MAX
              + ": a run may take 30 virtual minutes");
    }
  }

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
  public FleetOptions with(String name, String value) {
    return switch (name) {
      case "--log" ->
          new FleetOptions(
              LogKind.valueOf(value.toUpperCase(Locale.ROOT)),
              size,
              chaosSeconds,
              hasFaults,
              hasTrouble,
              mutation);
      case "--masters" -> with(new Size(number(name, value), size.stores, size.clients));
      case "--stores" -> with(new Size(size.masters, number(name, value), size.clients));
      case "--clients" -> with(new Size(size.masters, size.stores, number(name, value)));
      case "--chaos" ->
          new FleetOptions(log, size, number(name, value), hasFaults, hasTrouble, mutation);
      case "--faults" ->
          new FleetOptions(
              log, size, chaosSeconds, Boolean.parseBoolean(value), hasTrouble, mutation);
      case "--buggify" ->
          new FleetOptions(
              log, size, chaosSeconds, hasFaults, Boolean.parseBoolean(value), mutation);
      case "--mutant" ->
          new FleetOptions(log, size, chaosSeconds, hasFaults, hasTrouble, Mutant.named(value));
      default ->
          throw new IllegalArgumentException(
              "unknown option '"
                  + name
                  + "'; there are masters, stores, clients, chaos, faults, buggify and mutant");
    };
  }

  /// The options that a plan keeps, by name.
  SortedMap<String, String> settings() {
    SortedMap<String, String> settings = new TreeMap<>();
    settings.put("masters", Integer.toString(size.masters));
    settings.put("stores", Integer.toString(size.stores));
    settings.put("clients", Integer.toString(size.clients));
    settings.put("chaos", Integer.toString(chaosSeconds));
    settings.put("faults", Boolean.toString(hasFaults));
    settings.put("mutant", mutation.toString());
    return settings;
  }

  private FleetOptions with(Size other) {
    return new FleetOptions(log, other, chaosSeconds, hasFaults, hasTrouble, mutation);
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": '" + value + "' is not a number", e);
    }
  }
}
