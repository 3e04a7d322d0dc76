package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.state.StateConfig;
import dev.floe.sim.kernel.SimRandom;
import dev.floe.sim.net.NetworkFaults;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Swarm testing (Groce and others 2012): each seed draws a different mix of faults, sizes and
/// times, because a mix of everything hides what a few strong ones show.
public final class Swarm {
  /// The profiles by name.
  public static final List<String> PROFILES = List.of("swarm", "calm", "storm");

  private Swarm() {}

  /// The options of a seed.
  ///
  /// @param profile `swarm` draws the faults, `calm` has none, `storm` has all
  /// @throws FloeException `INVALID_ARGUMENT` for another profile
  public static SimOptions derive(long seed, String profile) {
    SimRandom.Stream draw = new SimRandom(seed).stream("swarm");
    SimOptions.Shape shape =
        new SimOptions.Shape(
            draw.pick(List.of(1, 3, 3, 3, 3, 5)),
            (int) draw.between(1, 4),
            (int) draw.between(1, 2),
            (int) draw.logBetween(2, 32) * 1024,
            (int) draw.between(2, 4),
            (int) draw.between(1, 3));
    long discardMillis = draw.logBetween(500, 4000);
    long electionMillis = draw.logBetween(150, 600);
    SimOptions.Times times =
        new SimOptions.Times(
            electionMillis,
            electionMillis * draw.between(2, 12),
            (int) draw.logBetween(5, 200),
            new StateConfig(discardMillis, discardMillis * draw.between(1, 3)),
            draw.logBetween(600, 3000),
            draw.logBetween(1000, 5000),
            draw.logBetween(50, 1000));
    SimOptions.Work work =
        new SimOptions.Work(
            (int) draw.logBetween(30, 250),
            (int) draw.logBetween(2, 20),
            draw.logBetween(5, 200),
            draw.pick(List.of(64, 600, 600, 5000, 12_000)),
            (int) draw.between(1, 3));
    return new SimOptions(seed, profile, shape, times, work, faults(draw, profile), null);
  }

  private static SimOptions.Faults faults(SimRandom.Stream draw, String profile) {
    Set<FaultClass> classes = EnumSet.noneOf(FaultClass.class);
    boolean isSingle = draw.chance(0.25);
    FaultClass single = draw.pick(List.of(FaultClass.values()));
    for (FaultClass faultClass : FaultClass.values()) {
      boolean isOn = draw.chance(0.4);
      boolean wanted =
          switch (profile) {
            case "swarm" -> isSingle ? faultClass == single : isOn;
            case "calm" -> false;
            case "storm" -> true;
            default ->
                throw new FloeException(
                    ErrorCode.INVALID_ARGUMENT,
                    "profile '" + profile + "' is unknown; use one of " + PROFILES);
          };
      if (wanted) {
        classes.add(faultClass);
      }
    }
    double scale = isSingle ? 2 : 1;
    NetworkFaults network =
        new NetworkFaults(
            classes.contains(FaultClass.LOSS) ? scale * draw.nextDouble() * 0.15 : 0,
            classes.contains(FaultClass.DUPLICATION) ? scale * draw.nextDouble() * 0.25 : 0,
            draw.logBetween(50, 20_000),
            classes.contains(FaultClass.DELAY) ? scale * draw.nextDouble() * 0.05 : 0,
            draw.logBetween(50, 8000),
            classes.contains(FaultClass.REORDERING));
    return new SimOptions.Faults(
        classes, network, draw.logBetween(400, 4000), draw.logBetween(2000, 12_000));
  }
}
