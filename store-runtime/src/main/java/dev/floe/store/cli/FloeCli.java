package dev.floe.store.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.core.time.Ticker;
import dev.floe.store.cli.node.MasterCommand;
import dev.floe.store.cli.node.QuickstartCommand;
import dev.floe.store.cli.node.StatusCommand;
import dev.floe.store.cli.node.StoreCommand;
import dev.floe.store.cli.node.UpCommand;
import dev.floe.store.cli.object.ExistCommand;
import dev.floe.store.cli.object.GetCommand;
import dev.floe.store.cli.object.ListCommand;
import dev.floe.store.cli.object.PutCommand;
import dev.floe.store.cli.object.RemoveCommand;
import dev.floe.store.cli.object.StatCommand;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ErrorLines;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.FloeSubcommand;
import dev.floe.store.cli.shell.NextStep;
import dev.floe.store.cli.shell.ResultStream;
import dev.floe.store.cli.shell.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reads a command line, runs its command, and turns every outcome into an exit code.
///
/// An error is one line `floe: what happened` and one line `next: what to do` on standard error; a
/// stack trace comes only with `--debug`.
final class FloeCli {
  private static final OptionSpec HELP =
      OptionSpec.builder("-h", "--help")
          .type(boolean.class)
          .usageHelp(true)
          .description("Show this help.")
          .build();
  private static final OptionSpec VERSION =
      OptionSpec.builder("-V", "--version")
          .type(boolean.class)
          .versionHelp(true)
          .description("Show the version; 'floe version' tells more.")
          .build();

  private final Terminal terminal;
  private final Clients clients;
  private final Ticker ticker;

  FloeCli(Terminal terminal, Clients clients, Ticker ticker) {
    this.terminal = terminal;
    this.clients = clients;
    this.ticker = ticker;
  }

  /// Runs one command.
  ///
  /// @return the exit code, see `ExitCodes`
  int run(String... args) {
    try {
      return whenWritten(commandLine().execute(args));
    } catch (RuntimeException | Error e) {
      return onDefect(e, args);
    }
  }

  /// The exit code of a command that ended so, once its output is written.
  private int whenWritten(int code) {
    IOException lost = terminal.out().failure();
    if (lost == null) {
      return code;
    }
    if (ResultStream.isReaderGone(lost)) {
      return code == ExitCodes.OK ? ExitCodes.READER_GONE : code;
    }
    ErrorLines.print(terminal, ResultStream.lostMessage(lost), ResultStream.lostAdvice());
    return code == ExitCodes.OK ? ExitCodes.OTHER : code;
  }

  /// What no command foresaw: a line for people; the stack trace for whoever asks for it.
  int onDefect(Throwable e, String... args) {
    terminal.out().flush();
    ErrorLines.print(terminal, new FloeException(ErrorCode.INTERNAL, "unexpected " + e, e));
    if (List.of(args).contains("--debug")) {
      e.printStackTrace(terminal.err());
    }
    return ExitCodes.OTHER;
  }

  /// The parser with all commands, for the completion script and tests.
  CommandLine commandLine() {
    CommandLine root = new CommandLine(new FloeCommand());
    root.getCommandSpec().addOption(HELP);
    root.getCommandSpec().addOption(VERSION);
    for (FloeSubcommand command : commands()) {
      CommandLine line = new CommandLine(command);
      line.getCommandSpec().addOption(HELP);
      command.prepare(line.getCommandSpec());
      root.addSubcommand(line);
    }
    root.setOut(new PrintWriter(terminal.out(), true, UTF_8));
    root.setErr(new PrintWriter(terminal.err(), true, UTF_8));
    root.setCaseInsensitiveEnumValuesAllowed(true);
    root.setUsageHelpWidth(100);
    root.setExpandAtFiles(false);
    root.setUnmatchedOptionsArePositionalParams(false);
    root.setParameterExceptionHandler(this::onUsageError);
    root.setExecutionExceptionHandler(this::onFailure);
    return root;
  }

  private List<FloeSubcommand> commands() {
    return List.of(
        new QuickstartCommand(terminal, clients, ticker),
        new UpCommand(terminal, clients, ticker),
        new PutCommand(terminal, clients, ticker),
        new GetCommand(terminal, clients, ticker),
        new ListCommand(terminal, clients, ticker),
        new StatCommand(terminal, clients, ticker),
        new RemoveCommand(terminal, clients, ticker),
        new ExistCommand(terminal, clients, ticker),
        new StatusCommand(terminal, clients, ticker),
        new MasterCommand(terminal, ticker),
        new StoreCommand(terminal, ticker),
        new SimCommand(terminal),
        new VersionCommand(terminal),
        new CompletionCommand(terminal, this));
  }

  private int onUsageError(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String message = ErrorLines.oneLine(e.getMessage());
    String suggestion = "";
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> known = unmatched.getSuggestions();
      suggestion = known.isEmpty() ? "" : "; did you mean '" + known.getFirst() + "'?";
    }
    ErrorLines.print(
        terminal,
        Character.toLowerCase(message.charAt(0)) + message.substring(1) + suggestion,
        "'" + command.getCommandSpec().qualifiedName() + " --help' shows how it is used");
    return ExitCodes.USAGE;
  }

  private int onFailure(Exception e, CommandLine command, ParseResult parsed) {
    boolean isDebug =
        command.getCommandSpec().userObject() instanceof FloeSubcommand sub && sub.isDebug();
    FloeException failure = asFloeException(e);
    IOException lost = terminal.out().failure();
    if (lost != null && isCausedBy(e, lost)) {
      // Told once, when the command has ended.
      return ExitCodes.OK;
    }
    String next =
        command.getCommandSpec().userObject() instanceof FloeSubcommand sub
            ? sub.nextStep(failure.code())
            : NextStep.of(failure.code());
    ErrorLines.print(terminal, ErrorLines.oneLine(failure.getMessage()), next);
    if (isDebug) {
      e.printStackTrace(terminal.err());
    }
    return ExitCodes.of(failure.code());
  }

  private static boolean isCausedBy(Throwable e, Throwable cause) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t.equals(cause)) {
        return true;
      }
    }
    return false;
  }

  private static FloeException asFloeException(Exception e) {
    return switch (e) {
      case FloeException known -> known;
      case IOException io -> ofIoError(io);
      case UncheckedIOException wrapped -> ofIoError(Objects.requireNonNull(wrapped.getCause()));
      default -> new FloeException(ErrorCode.INTERNAL, "unexpected " + e, e);
    };
  }

  private static FloeException ofIoError(IOException e) {
    return new FloeException(ErrorCode.IO_ERROR, IoReason.of(e), e);
  }
}
