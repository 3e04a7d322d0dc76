package dev.floe.store.cli;

import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.FloeSubcommand;
import dev.floe.store.cli.shell.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `floe completion`: the script that teaches a shell the commands and options.
@Command(
    name = "completion",
    description = "Print the completion script for a shell.",
    footer = {
      "",
      "Put 'source <(floe completion bash)' into ~/.bashrc or ~/.zshrc.",
      "",
      "Example:",
      "  floe completion bash"
    })
final class CompletionCommand extends FloeSubcommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "BASH",
      description = "bash or zsh; one script serves both.")
  private Shell shell = Shell.BASH;

  private final FloeCli cli;

  CompletionCommand(Terminal terminal, FloeCli cli) {
    super(terminal);
    this.cli = cli;
  }

  /// Shells that read the script.
  enum Shell {
    BASH,
    ZSH
  }

  @Override
  protected int run() {
    String script = AutoComplete.bash("floe", cli.commandLine());
    switch (shell) {
      case BASH -> terminal().out().print(script);
      // The script itself turns on the emulation of bash; it needs zsh's completion to be loaded.
      case ZSH -> terminal().out().print("autoload -Uz compinit && compinit\n" + script);
    }
    return ExitCodes.OK;
  }
}
