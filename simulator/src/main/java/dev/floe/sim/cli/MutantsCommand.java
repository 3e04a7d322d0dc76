package dev.floe.sim.cli;

import dev.floe.sim.cluster.Mutant;
import dev.floe.sim.cluster.MutantHunt;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Plants each known bug and counts the seeds that it takes to find it.
@Command(
    name = "mutants",
    mixinStandardHelpOptions = true,
    description = "Plants each known bug in turn and runs seeds until an oracle finds it.")
final class MutantsCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seeds",
      defaultValue = "1..400",
      description = "The budget of seeds for each bug; default 1..400.")
  SeedRange seeds = new SeedRange(1, 400);

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    int missed = 0;
    for (Mutant mutant : Mutant.values()) {
      MutantHunt.Found found = MutantHunt.hunt(mutant, seeds.first(), seeds.last());
      if (found == null) {
        missed++;
        out.printf("MISSED %s in %d seeds: the oracles have a hole%n", mutant, seeds.size());
      } else {
        out.printf(
            "found  %-34s by %-22s at seed %d, run %d%n",
            mutant, found.invariant(), found.seed(), found.runs());
      }
      out.flush();
    }
    return missed == 0 ? 0 : 1;
  }
}
