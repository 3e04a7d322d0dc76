package dev.floe.sim.cli;

import dev.floe.sim.profile.Profile;
import dev.floe.sim.profile.SeedReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Plants each known bug and counts the seeds that it takes to find it.
@Command(
    name = "mutants",
    mixinStandardHelpOptions = true,
    description = "Plants each known bug of a profile in turn and runs seeds until one fails.",
    footer = {
      "",
      "Examples:",
      "  floe sim mutants --profile commands",
      "  floe sim mutants --profile fleet-model --mutant ack-before-commit --seeds 1..50",
      "  floe sim mutants --list"
    })
final class MutantsCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin SetupOptions options = new SetupOptions();

  @Option(
      names = "--seeds",
      defaultValue = "1..400",
      description = "The budget of seeds for each bug; default 1..400.")
  SeedRange seeds = new SeedRange(1, 400);

  @Option(names = "--list", description = "Only names them.")
  boolean isList;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (isList) {
      for (Profile profile : List.of(Profile.FLEET_MODEL, Profile.MASTERS, Profile.COMMANDS)) {
        out.println(profile + ": " + String.join(", ", profile.mutants()));
      }
      return 0;
    }
    List<String> mutants =
        options.mutant.equals("none") ? options.profile.mutants() : List.of(options.mutant);
    int missed = 0;
    for (String mutant : mutants) {
      SeedReport found = hunt(mutant);
      if (found == null) {
        missed++;
        out.printf("MISSED %s in %d seeds: the oracles have a hole%n", mutant, seeds.size());
      } else {
        out.printf(
            "found  %-34s by %-22s at seed %d, run %d%n",
            mutant, found.invariant(), found.seed(), found.seed() - seeds.first() + 1);
      }
      out.flush();
    }
    return missed == 0 ? 0 : 1;
  }

  private @Nullable SeedReport hunt(String mutant) throws InterruptedException {
    options.mutant = mutant;
    List<SeedReport> found = new ArrayList<>();
    new SeedPool(options, 1)
        .run(
            seeds.stream(),
            () -> !found.isEmpty() || spec.commandLine().getOut().checkError(),
            report -> {
              if (!report.isPassed()) {
                found.add(report);
              }
            });
    return found.isEmpty() ? null : found.getFirst();
  }
}
