package dev.floe.store.cli;

import dev.floe.store.cli.shell.BuildInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command itself: without a subcommand there is nothing to do.
@Command(
    name = "floe",
    description = "A distributed store for immutable blobs.",
    versionProvider = FloeCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  floe quickstart --once        see it work: a cluster, a failover, every byte back",
      "  floe up                       start a cluster on this machine",
      "  floe put model/a a.bin        store a file in it",
      "  floe get model/a copy.bin     read it back",
      "",
      "Exit codes: 0 done, 1 not found, 2 usage, 3 unavailable, 4 corrupt, 5 other,",
      "130 or 143 stopped by a signal."
    })
final class FloeCommand implements Runnable {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  /// What `--version` prints.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"floe " + BuildInfo.read().version()};
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "there is no command");
  }
}
