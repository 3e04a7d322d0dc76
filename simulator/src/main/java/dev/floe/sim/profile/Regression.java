package dev.floe.sim.profile;

import dev.floe.sim.fleet.FleetRun;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.plan.PlanText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A run that once found a bug, kept as a small file: a plan (`NAME.plan`), or a seed (`NAME.seed`)
/// with the lines `profile P`, `seed N` and remarks after `#`.
///
/// @param file where it is kept
/// @param profile of the run
/// @param run runs it
public record Regression(Path file, Profile profile, Run run) {
  /// Runs it in this JVM.
  @FunctionalInterface
  public interface Run {
    /// What comes of it today.
    SeedReport now();
  }

  /// All that a folder has, in the order of their names.
  ///
  /// @throws IllegalArgumentException naming the file that is none
  public static List<Regression> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> some =
          files
              .filter(f -> f.toString().endsWith(".plan") || f.toString().endsWith(".seed"))
              .sorted()
              .toList();
      List<Regression> all = new java.util.ArrayList<>();
      for (Path file : some) {
        all.add(read(file));
      }
      return all;
    }
  }

  private static Regression read(Path file) throws IOException {
    try {
      String text = Files.readString(file);
      if (file.toString().endsWith(".plan")) {
        Plan plan = PlanText.read(text, Profile::planChecks);
        Profile profile = Profile.named(plan.profile());
        return new Regression(
            file,
            profile,
            () ->
                FleetSeeds.report(
                    FleetSeeds.runs(profile, Setup.STANDARD).run(plan, FleetRun.TIME_LIMIT, null)));
      }
      Map<String, String> words = new HashMap<>();
      text.lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .map(line -> line.split("\\s+", 2))
          .forEach(line -> words.put(line[0], line.length < 2 ? "" : line[1]));
      Profile profile = Profile.named(words.getOrDefault("profile", ""));
      long seed = Long.decode(words.getOrDefault("seed", ""));
      return new Regression(file, profile, () -> profile.runner(Setup.STANDARD).run(seed, null));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          file + " is no run: " + e.getMessage() + "; it needs a line profile P and one seed N", e);
    }
  }
}
