package dev.floe.sim.cli;

import dev.floe.sim.cluster.DeterminismCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs each seed twice and compares the hashes.
@Command(
    name = "check-determinism",
    mixinStandardHelpOptions = true,
    description = {
      "Runs each seed twice, where real threads would differ in two JVMs with other heaps, collectors and compilers;",
      "all checkpoint hashes must agree, else the first event that differs is shown."
    },
    footer = {"", "Example:", "  floe sim check-determinism --profile fleet --seeds 1..5"})
final class DeterminismCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin SetupOptions options = new SetupOptions();

  @Option(names = "--seeds", required = true, description = "For example 1..50.")
  SeedRange seeds = new SeedRange(1, 1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (options.profile.needsAgent()) {
      var _ = options.profile.runner(options.setup());
      return new dev.floe.sim.ratis.DeterminismCheck(
              new dev.floe.sim.ratis.DeterminismCheck.Told(out, spec.commandLine().getErr()),
              Relaunch.plainJvm(options),
              SimMain.class.getName())
          .run(seeds.first(), seeds.last(), options.words());
    }
    String swarm =
        switch (options.profile) {
          case COMMANDS_CALM -> "calm";
          case COMMANDS_STORM -> "storm";
          case COMMANDS, FLEET, FLEET_MODEL, MASTERS -> "swarm";
        };
    long different = 0;
    for (long seed = seeds.first(); seed <= seeds.last(); seed++) {
      String difference = DeterminismCheck.differenceOrEmpty(seed, swarm);
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
