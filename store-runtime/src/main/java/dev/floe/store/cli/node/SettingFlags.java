package dev.floe.store.cli.node;

import dev.floe.store.cli.shell.OutputFormat;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Table;
import dev.floe.store.config.Schema;
import dev.floe.store.config.Setting;
import dev.floe.store.config.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The settings of a node as options of its command: one flag for each, made from the schema, so that
/// none can be missing.
public final class SettingFlags {
  private final Schema schema;
  private final Map<Setting<?>, OptionSpec> optionOf = new LinkedHashMap<>();

  SettingFlags(Schema schema) {
    this.schema = schema;
  }

  void addTo(CommandSpec spec) {
    for (Setting<?> setting : schema.settings()) {
      String defaultText = setting.defaultText();
      OptionSpec option =
          OptionSpec.builder(setting.flag())
              .type(String.class)
              .paramLabel(setting.type().label())
              .description(
                  setting.description().replace("%", "%%")
                      + (defaultText == null || defaultText.isEmpty()
                          ? "."
                          : " (" + defaultText + ")."))
              .build();
      optionOf.put(setting, option);
      spec.addOption(option);
    }
  }

  /// The effective settings: defaults, file, environment, the flags that were given.
  Settings resolve(@Nullable Path file, Map<String, String> environment) {
    Map<String, String> flags = new HashMap<>();
    optionOf.forEach(
        (setting, option) -> {
          String value = option.getValue();
          if (value != null) {
            flags.put(setting.key(), value);
          }
        });
    return Settings.resolve(schema, file, environment, flags);
  }

  /// Every setting with its value and where it came from.
  static void print(Terminal terminal, Settings settings, OutputFormat format) {
    List<Settings.Explained> lines = settings.explain();
    switch (format) {
      case TABLE -> {
        Table table = new Table("setting", "value", "from");
        for (Settings.Explained line : lines) {
          table.row(
              line.key(), line.value(), line.source().isEmpty() ? "(not set)" : line.source());
        }
        terminal.out().print(table.render());
      }
      case JSON -> terminal.out().print(Json.write(Map.of("settings", lines)));
    }
  }
}
