package dev.floe.sim.cli;

import dev.floe.sim.plan.Plan;
import dev.floe.sim.plan.PlanText;
import dev.floe.sim.profile.FleetSeeds;
import dev.floe.sim.profile.Profile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which run is meant: that of a seed or that of a plan.
final class RunChoice {
  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The seed of the run, decimal or hexadecimal after 0x.")
  @Nullable SeedRange seeds;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "A plan in place of a seed; it names its profile and its planted bug itself.")
  @Nullable Path file;

  private @Nullable Plan read;

  /// @throws IllegalArgumentException unless exactly one is given, or with options that a plan has
  ///     lines of its own for
  void check(SetupOptions options) {
    if ((seeds == null) == (file == null)) {
      throw new IllegalArgumentException(
          "give --seed S or --plan FILE, one of the two; a failure's replay line has it");
    }
    if (seeds != null && seeds.size() != 1) {
      throw new IllegalArgumentException(
          "--seed is "
              + seeds.first()
              + ".."
              + seeds.last()
              + ", but must be one; use run for many");
    }
    if (file != null && (!options.sizes.isEmpty() || !options.mutant.equals("none"))) {
      throw new IllegalArgumentException(
          (options.sizes.isEmpty() ? "--mutant" : "--set")
              + " changes what a seed draws; change the plan's lines 'set NAME VALUE' instead");
    }
  }

  /// The same for a command that needs a plan.
  void checkPlan(SetupOptions options) throws IOException {
    check(options);
    if (!profile(options).hasPlans()) {
      throw new IllegalArgumentException(
          "profile "
              + profile(options)
              + " has no plans; fleet and fleet-model have. "
              + withoutPlan(options));
    }
  }

  /// What to do with a seed that has no plan.
  private String withoutPlan(SetupOptions options) throws IOException {
    String replay = "replay --profile " + profile(options) + " --seed " + seed();
    return switch (profile(options)) {
      case MASTERS ->
          "A smaller run: "
              + replay
              + " with --no-faults, --set operations=N or --set clients=N, which"
              + " leave the rest as it is; all of it: --trace FILE";
      case COMMANDS, COMMANDS_CALM, COMMANDS_STORM ->
          "A run is short and can be read whole: " + replay + " --trace FILE";
      case FLEET, FLEET_MODEL -> "";
    };
  }

  long seed() {
    SeedRange range = seeds;
    return range == null ? 0 : range.first();
  }

  Profile profile(SetupOptions options) throws IOException {
    return file == null ? options.profile : Profile.named(fromFile(file).profile());
  }

  /// The plan: that of the file, or what the seed draws.
  Plan plan(SetupOptions options) throws IOException {
    Path from = file;
    if (from != null) {
      return fromFile(from);
    }
    return FleetSeeds.runs(options.profile, options.setup()).plan(seed());
  }

  private Plan fromFile(Path from) throws IOException {
    Plan known = read;
    if (known == null) {
      if (!Files.isRegularFile(from)) {
        throw new IllegalArgumentException(
            "there is no file " + from + "; replay --write-plan writes plans");
      }
      try {
        known = PlanText.read(Files.readString(from), Profile::planChecks);
      } catch (CharacterCodingException e) {
        throw new IllegalArgumentException(
            from + " is no plan: it is not text in UTF-8; replay --write-plan writes plans", e);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(from + ": " + e.getMessage(), e);
      }
      read = known;
    }
    return known;
  }

  /// The command that runs it again.
  String replay(SetupOptions options) {
    return file == null ? options.replay(seed()) : "bin/floe sim replay --plan " + file;
  }
}
