package dev.floe.store.cli;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.store.cli.shell.FloeSubcommand;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Printable;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// `floe sim` as the list of commands shows it: the simulator is a program of its own, which the
/// launcher starts before this one could.
@Command(
    name = "sim",
    description =
        "Simulate whole clusters and their faults from a seed; 'floe sim --help' tells more.",
    footer = {"", "Example:", "  floe sim run --seeds 1..50"})
final class SimCommand extends FloeSubcommand {
  @Unmatched private final List<String> arguments = new ArrayList<>();

  SimCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected int run() {
    throw new FloeException(
        ErrorCode.UNSUPPORTED,
        "the simulator is a program of its own; start it with bin/floe sim "
            + Printable.shortened(String.join(" ", arguments)));
  }
}
