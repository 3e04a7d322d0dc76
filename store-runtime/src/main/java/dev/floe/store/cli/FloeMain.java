package dev.floe.store.cli;

import dev.floe.core.time.Ticker;
import dev.floe.store.cli.shell.Logging;
import dev.floe.store.cli.shell.Terminal;

/// The entry point of the `floe` command.
public final class FloeMain {
  private FloeMain() {}

  /// Runs one command and exits with its code.
  public static void main(String[] args) {
    Logging.quietLibraries();
    Terminal terminal = Terminal.ofProcess();
    FloeCli cli = new FloeCli(terminal, new RemoteClients(Ticker.system()), Ticker.system());
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> cli.onDefect(e, args));
    System.exit(cli.run(args));
  }
}
