package dev.floe.sim.fleet;

import dev.floe.sim.vthread.Seeds;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// What a seed draws: which faults it has, and the knobs. All of it is printed.
///
/// One seed in four has exactly one kind of fault; the others take each kind by a coin.
///
/// @param faults kinds of fault, in order
/// @param hands how many faults may be at work at a time
/// @param gapMillis mean pause of a hand between two faults
/// @param snapshotEntries log entries between two snapshots of a master
/// @param knobs of the workload
record FleetDraw(
    List<FleetFault> faults, int hands, int gapMillis, int snapshotEntries, Knobs knobs) {
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
        options.hasFaults() ? faults(random) : EnumSet.noneOf(FleetFault.class);
    return new FleetDraw(
        List.copyOf(faults),
        1 + random.nextInt(2),
        logUniform(random, 300, 1500),
        logUniform(random, 30, 300),
        knobs);
  }

  private static Set<FleetFault> faults(SplittableRandom random) {
    FleetFault[] all = FleetFault.values();
    if (random.nextInt(4) == 0) {
      return EnumSet.of(all[random.nextInt(all.length)]);
    }
    Set<FleetFault> some = EnumSet.noneOf(FleetFault.class);
    while (some.isEmpty()) {
      for (FleetFault fault : all) {
        if (random.nextInt(3) == 0) {
          some.add(fault);
        }
      }
    }
    return some;
  }

  private static int logUniform(SplittableRandom random, int min, int max) {
    return (int) Math.round(min * Math.exp(random.nextDouble() * Math.log((double) max / min)));
  }
}
