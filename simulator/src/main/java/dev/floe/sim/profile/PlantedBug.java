package dev.floe.sim.profile;

import dev.floe.sim.mutant.MasterMutant;
import dev.floe.sim.mutant.Mutant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// A bug that can be planted, and where it is found soonest.
///
/// @param name on the command line
/// @param profile whose runs find it soonest
/// @param catchers the rules of which one has to fail; another one that fails does not count
public record PlantedBug(String name, Profile profile, Set<String> catchers) {
  public PlantedBug {
    catchers = Set.copyOf(catchers);
  }

  /// All of a profile.
  public static List<PlantedBug> of(Profile profile) {
    return switch (profile) {
      case FLEET, FLEET_MODEL ->
          Arrays.stream(Mutant.values())
              .map(m -> new PlantedBug(Profile.spelled(m), profile, names(m.catchers())))
              .toList();
      case MASTERS ->
          Arrays.stream(MasterMutant.values())
              .filter(m -> m != MasterMutant.NONE)
              .map(m -> new PlantedBug(Profile.spelled(m), profile, m.catchers()))
              .toList();
      case COMMANDS, COMMANDS_CALM, COMMANDS_STORM ->
          Arrays.stream(dev.floe.sim.cluster.Mutant.values())
              .map(m -> new PlantedBug(Profile.spelled(m), profile, names(m.catchers())))
              .toList();
    };
  }

  /// Each bug once, in the profile that finds it soonest.
  public static List<PlantedBug> all() {
    List<PlantedBug> all = new ArrayList<>(of(Profile.COMMANDS));
    all.addAll(of(Profile.FLEET_MODEL));
    all.addAll(of(Profile.MASTERS));
    return all;
  }

  private static Set<String> names(Set<? extends Enum<?>> rules) {
    return rules.stream().map(Enum::name).collect(Collectors.toSet());
  }
}
