package dev.floe.sim.cli;

import dev.floe.sim.profile.Profile;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Starts the simulator's command line; exit codes: 0 all well, 1 a run failed, 2 wrong usage, 5
/// something that no command foresaw.
@Command(
    name = "floe sim",
    mixinStandardHelpOptions = true,
    version = "floe sim 0.1.0",
    description = {
      "Runs whole clusters of production code in virtual time, with faults drawn from a seed. One seed is one run,",
      "always the same."
    },
    subcommands = {
      RunCommand.class,
      ReplayCommand.class,
      ShrinkCommand.class,
      ExplainCommand.class,
      MutantsCommand.class,
      DeterminismCommand.class
    },
    footer = {
      "",
      "Profiles (--profile):",
      "  fleet           masters over real Ratis, stores, clients: everything",
      "  fleet-model     the same over a model log, several times faster (the default)",
      "  masters         masters with real Ratis on disks that break",
      "  commands        the state machine, the rest is modelled; also commands-calm, commands-storm",
      "",
      "Examples:",
      "  floe sim run --profile fleet --seeds 1..1000 --budget 10m --jobs 2   as many as fit into ten minutes",
      "  floe sim run --profile fleet-model --seeds 1..60 --coverage          what was never seen",
      "  floe sim replay --profile fleet-model --seed 42 --trace /tmp/trace   one run again, with every event",
      "  floe sim shrink --profile fleet-model --seed 1 --mutant ack-before-commit --out /tmp/1.plan",
      "  floe sim explain --plan /tmp/1.plan --out /tmp/1.svg                  who did what when",
      "  floe sim mutants --profile commands            plants each known bug and hunts for it",
      "  floe sim check-determinism --profile fleet --seeds 1..5   the same in two different JVMs"
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
    return converted(new CommandLine(new SimMain()))
        .setUsageHelpWidth(120)
        .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(
            (wrong, words) -> {
              CommandLine line = wrong.getCommandLine();
              tell(line, wrong.getMessage());
              return 2;
            })
        .setExecutionExceptionHandler(
            (failure, line, result) -> {
              if (failure instanceof IllegalArgumentException) {
                tell(line, failure.getMessage());
                return 2;
              }
              failure.printStackTrace(line.getErr());
              return 5;
            });
  }

  private static void tell(CommandLine line, @Nullable String message) {
    line.getErr().println("floe sim: " + message);
    line.getErr()
        .println("next: " + line.getCommandSpec().qualifiedName() + " --help has an example");
  }

  /// With the words of our own types.
  static CommandLine converted(CommandLine line) {
    return line.registerConverter(SeedRange.class, new SeedRange.Converter())
        .registerConverter(Profile.class, SimMain::profile);
  }

  private static Profile profile(String name) {
    try {
      return Profile.named(name);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.TypeConversionException(e.getMessage());
    }
  }
}
