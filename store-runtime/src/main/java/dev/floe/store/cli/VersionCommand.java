package dev.floe.store.cli;

import dev.floe.store.cli.shell.BuildInfo;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.FloeSubcommand;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `floe version`: which release, on which Java and machine.
@Command(
    name = "version",
    description = "Show the release, and what it runs on.",
    footer = {"", "Example:", "  floe version --output json"})
final class VersionCommand extends FloeSubcommand {
  @Mixin private final OutputOption output = new OutputOption();

  VersionCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected int run() {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("version", BuildInfo.read().version());
    info.put("revision", BuildInfo.read().revision());
    info.put("java", System.getProperty("java.runtime.version", "unknown"));
    info.put("javaHome", System.getProperty("java.home", "unknown"));
    info.put(
        "system",
        System.getProperty("os.name", "unknown") + " " + System.getProperty("os.arch", "unknown"));
    switch (output.format()) {
      case JSON -> terminal().out().print(Json.write(info));
      case TABLE ->
          terminal()
              .out()
              .printf(
                  "floe %s (%s) on Java %s, %s%n",
                  info.get("version"), info.get("revision"), info.get("java"), info.get("system"));
    }
    return ExitCodes.OK;
  }
}
