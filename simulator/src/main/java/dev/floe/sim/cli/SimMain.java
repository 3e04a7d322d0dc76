package dev.floe.sim.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Starts the simulator's command line; exit codes: 0 all well, 1 a run failed, 2 wrong usage.
@Command(
    name = "floe sim",
    mixinStandardHelpOptions = true,
    version = "floe sim 0.1.0",
    description = {
      "Runs whole clusters in virtual time: production state machine, formats and tables over a model of",
      "the log, network, clocks and processes, with faults drawn from the seed. One seed is one run, always the same."
    },
    subcommands = {
      RunCommand.class,
      ReplayCommand.class,
      DeterminismCommand.class,
      MutantsCommand.class,
      RatisCommand.class,
      FleetCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  floe sim run --seeds 1..1000                 a thousand runs with faults drawn for each",
      "  floe sim run --seeds 1..1000000 --budget 10m as many as fit into ten minutes",
      "  floe sim replay --seed 42 --trace            one run again, with every event",
      "  floe sim check-determinism --seeds 1..50     each twice; all checkpoint hashes must agree",
      "  floe sim mutants                             plants each known bug and hunts for it",
      "  floe sim ratis run --seeds 1..20             real masters with real Ratis",
      "  floe sim fleet run --seeds 1..20             everything: masters, stores, clients",
      "  floe sim fleet run --seeds 1..100 --log model   the same, several times faster"
    })
public final class SimMain {
  /// Runs a command line and ends the process.
  public static void main(String[] arguments) {
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "dev/floe/sim/cli/logback-sim.xml");
    }
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new SimMain())
        .registerConverter(SeedRange.class, new SeedRange.Converter())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, line, result) -> {
              line.getErr().println("floe sim: " + failure.getMessage());
              return 2;
            });
  }
}
