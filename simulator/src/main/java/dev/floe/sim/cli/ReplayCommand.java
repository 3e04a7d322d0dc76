package dev.floe.sim.cli;

import dev.floe.sim.cluster.Mutant;
import dev.floe.sim.cluster.RunResult;
import dev.floe.sim.cluster.SimOptions;
import dev.floe.sim.cluster.Simulation;
import dev.floe.sim.cluster.Swarm;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs one seed again.
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Runs one seed again, with all its events when asked.")
final class ReplayCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seed",
      required = true,
      description = "The seed of the run, decimal or hexadecimal after 0x.")
  SeedRange seeds = new SeedRange(1, 1);

  @Option(names = "--profile", defaultValue = "swarm", description = "Default swarm.")
  String profile = "swarm";

  @Option(names = "--trace", description = "Prints every event.")
  boolean trace;

  @Option(names = "--mutant", description = "Plants a bug: ${COMPLETION-CANDIDATES}.")
  @Nullable Mutant mutant;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    long seed = seeds.first();
    SimOptions options = Swarm.derive(seed, profile).withMutant(mutant);
    out.println("options: " + options);
    RunResult result = Simulation.run(options, trace ? out::println : null);
    out.print(result.report());
    if (result.isPassed()) {
      out.printf("seed %d passed: %d steps, hash=%016x%n", seed, result.steps(), result.hash());
    }
    out.flush();
    return result.isPassed() ? 0 : 1;
  }
}
