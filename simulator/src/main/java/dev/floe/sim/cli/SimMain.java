package dev.floe.sim.cli;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.sim.profile.Profile;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.NextStep;
import dev.floe.store.cli.shell.ResultStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Starts the simulator's command line; exit codes: 0 all well, 1 a run failed, 2 wrong usage, 5
/// an output that could not be written or something that no command foresaw, 141 an output that
/// nobody reads any more.
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
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    System.exit(run(ResultStream.of(out, out.getChannel()), System.err, arguments));
  }

  /// Runs a command line.
  ///
  /// @param out takes the results; when it cannot be written that is told, and is no success
  /// @return the exit code
  static int run(ResultStream out, PrintStream err, String... arguments) {
    CommandLine line =
        commandLine()
            .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    int code = line.execute(arguments);
    line.getOut().flush();
    IOException lost = out.failure();
    if (lost == null) {
      return code;
    }
    if (ResultStream.isReaderGone(lost)) {
      return code == ExitCodes.OK ? ExitCodes.READER_GONE : code;
    }
    line.getErr().println("floe sim: " + ResultStream.lostMessage(lost));
    line.getErr().println("next: " + ResultStream.lostAdvice());
    return ExitCodes.OTHER;
  }

  static CommandLine commandLine() {
    return converted(new CommandLine(new SimMain()))
        .setUsageHelpWidth(120)
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
              if (failure instanceof FloeException known && known.code() == ErrorCode.IO_ERROR) {
                line.getErr().println("floe sim: " + known.getMessage());
                line.getErr().println("next: " + NextStep.of(known.code()));
                return 5;
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
