package dev.floe.store.cli.shell;

import dev.floe.core.error.ErrorCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// What all subcommands share.
public abstract class FloeSubcommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--debug", description = "Show the stack trace of an error.")
  private boolean isDebug;

  @Option(
      names = {"-v", "--verbose"},
      description = "Log what is being done.")
  private boolean isVerbose;

  protected FloeSubcommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /// Adds options that are not annotated fields; called once, before parsing.
  public void prepare(CommandSpec spec) {}

  /// Does the work.
  ///
  /// @return the exit code
  protected abstract int run() throws Exception;

  /// What a person can do after an error of this command; printed after `next:`.
  public String nextStep(ErrorCode code) {
    return NextStep.of(code);
  }

  @Override
  public final Integer call() throws Exception {
    if (isVerbose) {
      Logging.verbose();
    }
    return run();
  }

  public final boolean isDebug() {
    return isDebug;
  }

  protected final boolean isVerbose() {
    return isVerbose;
  }

  protected final Terminal terminal() {
    return terminal;
  }
}
