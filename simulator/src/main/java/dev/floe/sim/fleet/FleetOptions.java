package dev.floe.sim.fleet;

import dev.floe.sim.mutant.Mutant;
import dev.floe.sim.mutant.Mutation;
import dev.floe.sim.plan.SizeLimit;
import java.util.List;
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

  /// The sizes that can be chosen; `chaos` in virtual seconds, of which a run has 30 minutes.
  public static final List<SizeLimit> SIZES =
      List.of(
          new SizeLimit("masters", 1, 7),
          new SizeLimit("stores", 1, 9),
          new SizeLimit("clients", 1, 9),
          new SizeLimit("chaos", 1, 600));

  /// The log behind the masters.
  public enum LogKind {
    /// Real Ratis over the simulated network.
    RATIS,
    /// `ModelLog`.
    MODEL
  }

  /// How many processes there are of each kind.
  public record Size(int masters, int stores, int clients) {}

  /// The same with another size.
  ///
  /// @param name one of `SIZES`
  /// @throws IllegalArgumentException for an unknown name or a bad value
  public FleetOptions withSize(String name, String value) {
    int number = SizeLimit.named(SIZES, name).read(value);
    return switch (name) {
      case "masters" -> with(new Size(number, size.stores, size.clients));
      case "stores" -> with(new Size(size.masters, number, size.clients));
      case "clients" -> with(new Size(size.masters, size.stores, number));
      case "chaos" -> new FleetOptions(log, size, number, hasFaults, hasTrouble, mutation);
      default -> throw new IllegalStateException(name + " is in SIZES and nowhere else");
    };
  }

  /// The same with another log.
  public FleetOptions withLog(LogKind kind) {
    return new FleetOptions(kind, size, chaosSeconds, hasFaults, hasTrouble, mutation);
  }

  /// The same with or without the nemesis.
  public FleetOptions withFaults(boolean wanted) {
    return new FleetOptions(log, size, chaosSeconds, wanted, hasTrouble, mutation);
  }

  /// The same with or without trouble at the probes' sites.
  public FleetOptions withTrouble(boolean wanted) {
    return new FleetOptions(log, size, chaosSeconds, hasFaults, wanted, mutation);
  }

  /// The same with a planted defect.
  ///
  /// @throws IllegalArgumentException naming all when there is none of that name
  public FleetOptions withMutant(String name) {
    return new FleetOptions(log, size, chaosSeconds, hasFaults, hasTrouble, Mutant.named(name));
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
}
