package dev.floe.store.cli.node;

import dev.floe.core.error.ErrorCode;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.FloeSubcommand;
import dev.floe.store.cli.shell.Lifetime;
import dev.floe.store.cli.shell.Logging;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.config.Schema;
import dev.floe.store.config.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// A command that runs one node of a cluster until it is told to stop.
public abstract class NodeCommand extends FloeSubcommand {
  private final SettingFlags flags;

  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = {"-c", "--config"},
      paramLabel = "PATH",
      description = "File of settings (YAML). Environment and flags win over it.")
  private @Nullable Path file;

  @Option(
      names = "--print-config",
      description = "Print every setting with its value and where it came from, and end.")
  private boolean isPrinting;

  @Option(
      names = "--stop-with-input",
      description =
          "Stop when standard input ends: for parents whose children must not outlive them.")
  private boolean isStoppingWithInput;

  NodeCommand(Terminal terminal, Schema schema) {
    super(terminal);
    this.flags = new SettingFlags(schema);
  }

  @Override
  public final void prepare(CommandSpec spec) {
    flags.addTo(spec);
    spec.usageMessage().abbreviateSynopsis(true);
  }

  /// Starts the node; it belongs to `lifetime` from then on.
  ///
  /// @return what it is and where it can be reached, for people
  abstract String start(Settings settings, Lifetime lifetime);

  @Override
  public final String nextStep(ErrorCode code) {
    return code == ErrorCode.INVALID_CONFIG
        ? "correct the setting; --print-config shows all settings and sources"
        : super.nextStep(code);
  }

  @Override
  protected final int run() throws Exception {
    Settings settings = flags.resolve(file, terminal().environment());
    if (isPrinting) {
      SettingFlags.print(terminal(), settings, output.format());
      return ExitCodes.OK;
    }
    if (!isVerbose()) {
      Logging.ofNode();
    }
    try (Lifetime lifetime = new Lifetime(terminal())) {
      terminal().err().println("floe: " + start(settings, lifetime) + "; stop it with Ctrl-C");
      lifetime.announceEnd("it");
      if (isStoppingWithInput) {
        lifetime.awaitEndOf(terminal().in());
      } else {
        lifetime.awaitSignal();
      }
    }
    return ExitCodes.OK;
  }
}
