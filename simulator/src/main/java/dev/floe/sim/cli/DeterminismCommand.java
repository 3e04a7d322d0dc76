package dev.floe.sim.cli;

import dev.floe.sim.cluster.DeterminismCheck;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs each seed twice and compares the hashes.
@Command(
    name = "check-determinism",
    mixinStandardHelpOptions = true,
    description =
        "Runs each seed twice; all checkpoint hashes must agree, else the first event that differs is shown.")
final class DeterminismCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--seeds", required = true, description = "For example 1..50.")
  SeedRange seeds = new SeedRange(1, 1);

  @Option(names = "--profile", defaultValue = "swarm", description = "Default swarm.")
  String profile = "swarm";

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    long different = 0;
    for (long seed = seeds.first(); seed <= seeds.last(); seed++) {
      String difference = DeterminismCheck.differenceOrEmpty(seed, profile);
      if (!difference.isEmpty()) {
        different++;
        out.println(difference);
      }
    }
    out.printf("%d seeds run twice, %d differ%n", seeds.size(), different);
    out.flush();
    return different == 0 ? 0 : 1;
  }
}
