package dev.floe.sim.fleet;

import dev.floe.sim.plan.Fault;
import dev.floe.sim.plan.Operations;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.plan.PlanText;
import dev.floe.sim.vthread.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Makes plans from seeds, and reads from a plan what a run needs.
public final class FleetPlans {
  /// Numbers of one hand's faults begin at a multiple of this.
  private static final int HAND_STRIDE = 1000;

  private FleetPlans() {}

  /// Everything that a seed draws.
  ///
  /// @param profile the name under which it is run again
  public static Plan derive(String profile, long seed, FleetOptions options) {
    Seeds seeds = new Seeds(seed);
    FleetDraw draw = FleetDraw.of(seeds, options);
    SortedMap<String, String> settings = new TreeMap<>(options.settings());
    settings.putAll(draw.settings());
    List<Fault> faults = new ArrayList<>();
    if (!draw.faults().isEmpty()) {
      for (int hand = 0; hand < draw.hands(); hand++) {
        faults.addAll(ofHand(hand, seeds, draw, options));
      }
    }
    faults.sort(Comparator.comparingLong(Fault::atMillis).thenComparingInt(Fault::number));
    return new Plan(profile, seed, seed, settings, faults, Operations.ALL);
  }

  private static List<Fault> ofHand(int hand, Seeds seeds, FleetDraw draw, FleetOptions options) {
    List<Fault> faults = new ArrayList<>();
    long at = 0;
    for (int number = hand * HAND_STRIDE; true; number++) {
      SplittableRandom random = seeds.stream("item " + number);
      at += 50 + random.nextInt(2 * draw.gapMillis());
      if (at >= options.chaosSeconds() * 1000L) {
        return faults;
      }
      FleetFault kind = draw.faults().get(random.nextInt(draw.faults().size()));
      long millis = 100L + random.nextInt(random.nextInt(4) == 0 ? 6000 : 1500);
      faults.add(new Fault(number, hand, at, kind.name(), millis));
      at += kind.lasting(millis);
    }
  }

  /// What a plan says about sizes.
  ///
  /// @throws IllegalArgumentException for a setting that does not exist
  static FleetOptions options(Plan plan, FleetOptions base) {
    FleetOptions options = base;
    for (Map.Entry<String, String> setting : plan.settings().entrySet()) {
      if (!FleetDraw.knows(setting.getKey())) {
        options = with(options, setting.getKey(), setting.getValue());
      }
    }
    return options;
  }

  private static FleetOptions with(FleetOptions options, String name, String value) {
    return switch (name) {
      case "faults" -> options.withFaults(truth(value));
      case "mutant" -> options.withMutant(value);
      default -> options.withSize(name, value);
    };
  }

  /// @throws IllegalArgumentException when it is neither `true` nor `false`
  static boolean truth(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("'" + value + "' is neither true nor false");
    };
  }

  /// What a plan of whole clusters may say.
  public static final class Checks implements PlanText.Checks {
    @Override
    public void setting(String name, String value) {
      if (FleetDraw.knows(name)) {
        FleetDraw.check(name, value);
      } else {
        var _ = with(FleetOptions.STANDARD, name, value);
      }
    }

    @Override
    public void fault(Fault fault) {
      var _ = FleetFault.named(fault.kind());
    }

    @Override
    public void whole(Plan plan) {
      var _ = FleetDraw.of(plan);
    }
  }
}
