package dev.floe.sim.cli;

import dev.floe.sim.profile.Profile;
import dev.floe.sim.profile.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/// The options that decide what a seed is.
final class SetupOptions {
  @Option(
      names = "--profile",
      defaultValue = "fleet-model",
      paramLabel = "P",
      description =
          "What runs: fleet, fleet-model, masters, commands, commands-calm or commands-storm;"
              + " default ${DEFAULT-VALUE}.")
  Profile profile = Profile.FLEET_MODEL;

  @Option(
      names = "--mutant",
      defaultValue = "none",
      paramLabel = "NAME",
      description = "Plants a bug; 'floe sim mutants --list' names all.")
  String mutant = "none";

  @Option(
      names = "--set",
      paramLabel = "NAME=N",
      description = "Another size, for example --set stores=5 or --set chaos=30.")
  Map<String, String> sizes = new TreeMap<>();

  @Option(names = "--no-faults", description = "Breaks nothing.")
  boolean isWithoutFaults;

  @Option(
      names = "--no-buggify",
      description = "Production code takes none of its rare paths on purpose.")
  boolean isWithoutTrouble;

  @Option(
      names = "--preempt",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = {
        "Fleets only: threads lose the processor at this share of the points where they synchronise, and each run has",
        "classes of its own. Finds races; 0.02 is a good share. 2 to 15 CPU seconds a seed."
      })
  double preemption;

  Setup setup() {
    return new Setup(new TreeMap<>(sizes), mutant, !isWithoutFaults, !isWithoutTrouble, preemption);
  }

  /// For commands that work on plans.
  ///
  /// @throws IllegalArgumentException when threads are to lose the processor
  void refusePreemption(String command) {
    if (preemption > 0) {
      throw new IllegalArgumentException(
          command
              + " does not know --preempt: a plan does not say who loses the processor when; use run,"
              + " replay or check-determinism");
    }
  }

  /// The words that say the same.
  List<String> words() {
    List<String> words = new ArrayList<>(List.of("--profile", profile.toString()));
    words.addAll(setup().words());
    return words;
  }

  /// The command that runs a seed again.
  String replay(long seed) {
    return "bin/floe sim replay --seed " + seed + " " + String.join(" ", words());
  }
}
