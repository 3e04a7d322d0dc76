package dev.floe.sim.profile;

import dev.floe.sim.check.Situation;
import dev.floe.sim.fleet.FleetPlans;
import dev.floe.sim.fleet.FleetRun;
import dev.floe.sim.plan.PlanText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The kinds of runs.
public enum Profile {
  /// Whole clusters over real Ratis.
  FLEET("masters over real Ratis, stores and clients: everything; 1 to 3 CPU seconds a seed"),
  /// Whole clusters over a model log.
  FLEET_MODEL("the same over a model log, several times faster"),
  /// Masters with real Ratis and their disks.
  MASTERS("masters with real Ratis on disks that break; half a CPU second a seed"),
  /// The state machine over a model of everything else.
  COMMANDS("the state machine and its tables, the rest is modelled; milliseconds a seed"),
  /// `COMMANDS` without faults.
  COMMANDS_CALM("commands without faults"),
  /// `COMMANDS` with every kind of fault in every seed.
  COMMANDS_STORM("commands with all faults at once");

  private final String description;

  Profile(String description) {
    this.description = description;
  }

  /// What it is, in one line.
  public String description() {
    return description;
  }

  /// Whether it needs the simulator's agent.
  public boolean needsAgent() {
    return switch (this) {
      case FLEET, FLEET_MODEL, MASTERS -> true;
      case COMMANDS, COMMANDS_CALM, COMMANDS_STORM -> false;
    };
  }

  /// Whether its runs follow plans, which can be shrunk and explained.
  public boolean hasPlans() {
    return this == FLEET || this == FLEET_MODEL;
  }

  /// What plans of the profile of that name may say.
  ///
  /// @throws IllegalArgumentException when there is none, or it has no plans
  public static PlanText.Checks planChecks(String name) {
    Profile profile = named(name);
    if (!profile.hasPlans()) {
      throw new IllegalArgumentException(
          "profile " + profile + " has no plans; fleet and fleet-model have");
    }
    return new FleetPlans.Checks();
  }

  /// Runs seeds in this JVM.
  ///
  /// @throws IllegalArgumentException when the setup has what this profile does not know
  public SeedRunner runner(Setup setup) {
    if (setup.preemption() > 0 && !hasPlans()) {
      throw new IllegalArgumentException(
          "profile " + this + " does not know --preempt; fleet and fleet-model do");
    }
    return switch (this) {
      case FLEET, FLEET_MODEL -> FleetSeeds.runner(this, setup);
      case MASTERS -> MasterSeeds.runner(setup);
      case COMMANDS, COMMANDS_CALM, COMMANDS_STORM -> CommandSeeds.runner(this, setup);
    };
  }

  /// What its runs report of themselves, apart from the probes in production code.
  public List<String> situations() {
    return switch (this) {
      case FLEET, FLEET_MODEL -> FleetRun.situations();
      case MASTERS -> List.of();
      case COMMANDS, COMMANDS_CALM, COMMANDS_STORM ->
          Arrays.stream(Situation.values()).map(Situation::name).toList();
    };
  }

  /// The profile of that name.
  ///
  /// @throws IllegalArgumentException naming all
  public static Profile named(String name) {
    return Arrays.stream(values())
        .filter(profile -> profile.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "profile '"
                        + name
                        + "' is unknown; use one of "
                        + Arrays.stream(values())
                            .map(Profile::toString)
                            .collect(Collectors.joining(", "))));
  }

  /// A mutant's name as it is written on a command line.
  static String spelled(Enum<?> mutant) {
    return mutant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The mutant of that name.
  ///
  /// @param known the names to tell when there is no such one
  static <M extends Enum<M>> M mutant(M[] all, String name, List<String> known) {
    return Arrays.stream(all)
        .filter(mutant -> spelled(mutant).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("no mutant '" + name + "'; there are none, " + known));
  }

  /// The name on the command line.
  @Override
  public String toString() {
    return spelled(this);
  }
}
