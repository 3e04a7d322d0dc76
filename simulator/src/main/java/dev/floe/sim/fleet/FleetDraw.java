package dev.floe.sim.fleet;

import dev.floe.sim.plan.Fault;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.plan.SizeLimit;
import dev.floe.sim.vthread.Seeds;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// What a seed draws: which faults it has, and the knobs. All of it is printed.
///
/// One seed in four has exactly one kind of fault; the others take each kind by a coin.
///
/// @param faults kinds of fault, in order
/// @param hands how many faults may be at work at a time
/// @param gapMillis mean pause of a hand between two faults
/// @param snapshotEntries log entries between two snapshots of a master
/// @param knobs of the workload
/// @param makesTrouble whether the probes' sites in production code take their rare paths
record FleetDraw(
    List<FleetFault> faults,
    int hands,
    int gapMillis,
    int snapshotEntries,
    Knobs knobs,
    boolean makesTrouble) {
  /// Whether sites make trouble; the only setting of a plan here that is no number.
  private static final String TROUBLE = "trouble";

  /// The numbers of a plan that belong here.
  private static final List<SizeLimit> NUMBERS =
      List.of(
          new SizeLimit("snapshot-entries", 1, 1_000_000),
          new SizeLimit("think-millis", 1, 60_000),
          new SizeLimit("workers", 1, 64),
          new SizeLimit("hot-keys", 1, 10_000),
          new SizeLimit("cold-keys", 1, 100_000),
          new SizeLimit("value-bytes", 1, 1_000_000),
          new SizeLimit("readers", 0, 64));

  /// Whether a setting of a plan belongs here.
  static boolean knows(String name) {
    return name.equals(TROUBLE) || NUMBERS.stream().anyMatch(number -> number.name().equals(name));
  }

  /// @throws IllegalArgumentException when a setting has a value that it cannot have
  static void check(String name, String value) {
    if (name.equals(TROUBLE)) {
      var _ = FleetPlans.truth(value);
    } else {
      var _ = SizeLimit.named(NUMBERS, name).read(value);
    }
  }

  FleetDraw {
    faults = List.copyOf(faults);
  }

  /// How clients behave.
  ///
  /// @param thinkMillis mean pause between two operations of a worker
  /// @param workers threads of one client
  /// @param hotKeys keys that all clients use
  /// @param coldKeys keys of the rest
  /// @param valueBytesMax of the largest value; a chunk has 4096
  /// @param readers threads of one client that only read: those that also write soon wait for a
  ///     leader that is cut off, and nobody is left who could be told what is no longer true
  record Knobs(
      int thinkMillis, int workers, int hotKeys, int coldKeys, int valueBytesMax, int readers) {}

  static FleetDraw of(Seeds seeds, FleetOptions options) {
    SplittableRandom random = seeds.stream("draw");
    Knobs knobs =
        new Knobs(
            logUniform(random, 40, 300),
            1 + random.nextInt(3),
            2 + random.nextInt(4),
            logUniform(random, 8, 60),
            logUniform(random, 2_000, 40_000),
            random.nextInt(2));
    Set<FleetFault> faults =
        options.hasFaults() ? faults(random, options.log()) : EnumSet.noneOf(FleetFault.class);
    return new FleetDraw(
        List.copyOf(faults),
        1 + random.nextInt(2),
        logUniform(random, 300, 1500),
        logUniform(random, 30, 300),
        knobs,
        options.hasTrouble() && random.nextBoolean());
  }

  /// The numbers of a plan.
  ///
  /// @throws IllegalArgumentException when one is missing
  static FleetDraw of(Plan plan) {
    return new FleetDraw(
        plan.faults().stream().map(f -> FleetFault.named(f.kind())).distinct().toList(),
        Math.toIntExact(plan.faults().stream().map(Fault::hand).distinct().count()),
        0,
        number(plan, "snapshot-entries"),
        new Knobs(
            number(plan, "think-millis"),
            number(plan, "workers"),
            number(plan, "hot-keys"),
            number(plan, "cold-keys"),
            number(plan, "value-bytes"),
            number(plan, "readers")),
        FleetPlans.truth(plan.settings().getOrDefault(TROUBLE, "false")));
  }

  private static int number(Plan plan, String name) {
    String value = plan.settings().get(name);
    if (value == null) {
      throw new IllegalArgumentException("the plan has no line 'set " + name + " N'");
    }
    return SizeLimit.named(NUMBERS, name).read(value);
  }

  /// The numbers by name.
  SortedMap<String, String> settings() {
    SortedMap<String, String> settings = new TreeMap<>();
    settings.put("snapshot-entries", Integer.toString(snapshotEntries));
    settings.put("think-millis", Integer.toString(knobs.thinkMillis));
    settings.put("workers", Integer.toString(knobs.workers));
    settings.put("hot-keys", Integer.toString(knobs.hotKeys));
    settings.put("cold-keys", Integer.toString(knobs.coldKeys));
    settings.put("value-bytes", Integer.toString(knobs.valueBytesMax));
    settings.put("readers", Integer.toString(knobs.readers));
    settings.put(TROUBLE, Boolean.toString(makesTrouble));
    return settings;
  }

  private static Set<FleetFault> faults(SplittableRandom random, FleetOptions.LogKind log) {
    List<FleetFault> all =
        Arrays.stream(FleetFault.values())
            .filter(fault -> log == FleetOptions.LogKind.RATIS || !fault.changesMembers())
            .toList();
    if (random.nextInt(4) == 0) {
      return EnumSet.of(all.get(random.nextInt(all.size())));
    }
    Set<FleetFault> some = EnumSet.noneOf(FleetFault.class);
    while (some.isEmpty()) {
      for (FleetFault fault : all) {
        if (random.nextInt(3) == 0) {
          some.add(fault);
        }
      }
    }
    if (some.contains(FleetFault.STALE_MESSAGES)) {
      // Open, see docs/simulation.md: a master that joins is not added after such a message.
      some.removeIf(FleetFault::changesMembers);
    }
    return some;
  }

  private static int logUniform(SplittableRandom random, int min, int max) {
    return (int) Math.round(min * Math.exp(random.nextDouble() * Math.log((double) max / min)));
  }
}
