package dev.floe.sim.cli;

import dev.floe.sim.profile.PlantedBug;
import dev.floe.sim.profile.Profile;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Plants each known bug and counts the seeds that it takes to find it, from several starts.
@Command(
    name = "mutants",
    mixinStandardHelpOptions = true,
    description = {
      "Plants each known bug in turn and runs seeds until the rule fails that is there for it, from several starts.",
      "Without --profile all bugs, each in the profile that finds it soonest."
    },
    footer = {
      "",
      "Examples:",
      "  floe sim mutants --profile commands --starts 5",
      "  floe sim mutants --profile fleet-model --mutant ack-before-commit --seeds 1..50",
      "  floe sim mutants --list"
    })
final class MutantsCommand implements Callable<Integer> {
  private static final int STARTS_MAX = 100;

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin SetupOptions options = new SetupOptions();

  @Option(
      names = "--seeds",
      defaultValue = "1..500",
      description = "The budget of seeds for each bug and start; default 1..500.")
  SeedRange seeds = new SeedRange(1, 500);

  @Option(
      names = "--starts",
      defaultValue = "1",
      paramLabel = "N",
      description = "Hunts so many times, each in the range after the one before; default 1.")
  int starts = 1;

  @Option(names = "--list", description = "Only names them, with the rules that must fail.")
  boolean isList;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (starts < 1 || starts > STARTS_MAX) {
      throw new IllegalArgumentException(
          "--starts is " + starts + ", but must be 1 to " + STARTS_MAX);
    }
    if (isList) {
      for (Profile profile : List.of(Profile.FLEET_MODEL, Profile.MASTERS, Profile.COMMANDS)) {
        out.println(profile + ":");
        PlantedBug.of(profile).forEach(bug -> out.printf("  %-34s %s%n", bug.name(), rules(bug)));
      }
      return 0;
    }
    out.printf(
        "%-13s %-34s %-30s %9s %9s %10s %9s  %s%n",
        "profile", "planted bug", "caught by", "median", "most", "virtual s", "CPU s", "seeds");
    int missed = 0;
    for (PlantedBug bug : chosen()) {
      BugHunt hunt = hunt(bug);
      if (!hunt.isCaughtFromEachStart()) {
        missed++;
      }
      out.println(hunt.line());
      out.flush();
    }
    if (missed > 0) {
      out.printf(
          "%d not caught from each start by a rule that is there for it: a hole in oracles, faults"
              + " or workload%n",
          missed);
      out.flush();
    }
    return missed == 0 ? 0 : 1;
  }

  private List<PlantedBug> chosen() {
    boolean isProfileGiven = spec.commandLine().getParseResult().hasMatchedOption("--profile");
    List<PlantedBug> some =
        isProfileGiven || !options.mutant.equals("none")
            ? PlantedBug.of(options.profile)
            : PlantedBug.all();
    if (options.mutant.equals("none")) {
      return some;
    }
    List<PlantedBug> one = some.stream().filter(b -> b.name().equals(options.mutant)).toList();
    if (one.isEmpty()) {
      // Says which ones there are.
      var _ = options.profile.runner(options.setup());
    }
    return one;
  }

  private BugHunt hunt(PlantedBug bug) throws InterruptedException {
    options.profile = bug.profile();
    options.mutant = bug.name();
    BugHunt hunt = new BugHunt(bug, seeds, starts);
    new SeedPool(options, 1)
        .run(hunt, () -> hunt.isOver() || spec.commandLine().getOut().checkError(), hunt::take);
    return hunt;
  }

  private static String rules(PlantedBug bug) {
    return String.join(" ", bug.catchers().stream().sorted().toList()).toUpperCase(Locale.ROOT);
  }
}
