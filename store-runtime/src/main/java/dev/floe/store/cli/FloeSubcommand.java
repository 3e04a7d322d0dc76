package dev.floe.store.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// What all subcommands share.
abstract class FloeSubcommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--debug", description = "Show the stack trace of an error.")
  private boolean isDebug;

  @Option(
      names = {"-v", "--verbose"},
      description = "Log what is being done.")
  private boolean isVerbose;

  FloeSubcommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /// Adds options that are not annotated fields; called once, before parsing.
  void prepare(CommandSpec spec) {}

  /// Does the work.
  ///
  /// @return the exit code
  abstract int run() throws Exception;

  @Override
  public final Integer call() throws Exception {
    if (isVerbose) {
      Logging.verbose();
    }
    return run();
  }

  final boolean isDebug() {
    return isDebug;
  }

  final boolean isVerbose() {
    return isVerbose;
  }

  final Terminal terminal() {
    return terminal;
  }
}
