package dev.floe.store.config;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The effective values of a schema's settings, each with where it came from.
public final class Settings {
  /// Kubernetes sets such variables for every service of a namespace, also for one that is called
  /// `floe-master`.
  private static final Pattern SERVICE_LINK =
      Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_[0-9]+_(TCP|UDP).*)?)");

  private final Schema schema;
  private final @Nullable Path file;
  private final Map<String, Given> given = new HashMap<>();

  private Settings(Schema schema, @Nullable Path file) {
    this.schema = schema;
    this.file = file;
  }

  private record Given(String text, String source) {}

  /// A value and where it came from.
  ///
  /// @param source `default`, `FILE:LINE`, a variable or a flag; empty when the value is missing
  public record Explained(String key, String value, String source, String description) {}

  /// Reads all sources and checks every value; later ones win: default, file, environment, flag.
  ///
  /// @param flags from setting key to text
  /// @throws FloeException `INVALID_CONFIG` naming the first unknown key or wrong value, whether it
  ///     takes effect or not
  public static Settings resolve(
      Schema schema,
      @Nullable Path file,
      Map<String, String> environment,
      Map<String, String> flags) {
    Settings settings = new Settings(schema, file);
    if (file != null) {
      settings.takeFile(file);
    }
    settings.takeEnvironment(environment);
    settings.takeFlags(flags);
    return settings;
  }

  /// The value of a setting.
  ///
  /// @throws FloeException `INVALID_CONFIG` when it has no default and was not given
  public <T> T get(Setting<T> setting) {
    Given found = given.get(setting.key());
    String text = found == null ? setting.defaultText() : found.text();
    if (text == null) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "'"
              + setting.key()
              + "' is not set ("
              + setting.description()
              + "); set it "
              + (file == null ? "in a file given with --config" : "in " + file)
              + ", as "
              + setting.variable(schema.variablePrefix())
              + " or with "
              + setting.flag()
              + " "
              + setting.type().label());
    }
    return parse(setting, text, found == null ? "default" : found.source());
  }

  /// Whether somebody set it; otherwise its default is in effect.
  public boolean isGiven(Setting<?> setting) {
    return given.containsKey(setting.key());
  }

  /// Every setting in the order of the schema.
  public List<Explained> explain() {
    List<Explained> lines = new ArrayList<>();
    for (Setting<?> setting : schema.settings()) {
      Given found = given.get(setting.key());
      String defaultText = setting.defaultText();
      if (found != null) {
        lines.add(explained(setting, found.text(), found.source()));
      } else if (defaultText != null) {
        lines.add(explained(setting, defaultText, "default"));
      } else {
        lines.add(explained(setting, "", ""));
      }
    }
    return List.copyOf(lines);
  }

  private static Explained explained(Setting<?> setting, String value, String source) {
    return new Explained(setting.key(), value, source, setting.description());
  }

  private void takeFile(Path path) {
    Map<String, List<String>> mapItems = new HashMap<>();
    for (YamlSettings.Entry entry : YamlSettings.read(path)) {
      String place = path + ":" + entry.line();
      Setting<?> setting = schema.find(entry.key());
      if (setting == null) {
        throw unknown(place + ": unknown key", entry.key(), schema.keys());
      }
      if (entry.isList() && setting.type().shape() != SettingType.Shape.LIST) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            place + ": '" + entry.key() + "' is a list; give one " + setting.type().label());
      }
      String text = entry.text();
      if (!setting.key().equals(entry.key())) {
        if (text.indexOf(',') >= 0) {
          throw new FloeException(
              ErrorCode.INVALID_CONFIG,
              place + ": '" + entry.key() + "' has a comma in its value, which is not supported");
        }
        List<String> items = mapItems.computeIfAbsent(setting.key(), k -> new ArrayList<>());
        items.add(entry.key().substring(setting.key().length() + 1) + "=" + text);
        text = String.join(",", items);
      }
      take(setting, text, place);
    }
  }

  private void takeEnvironment(Map<String, String> environment) {
    for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (!name.startsWith(schema.variablePrefix())) {
        continue;
      }
      Setting<?> setting =
          schema.settings().stream()
              .filter(s -> s.variable(schema.variablePrefix()).equals(name))
              .findFirst()
              .orElse(null);
      if (setting != null) {
        take(setting, variable.getValue(), name);
      } else if (schema.isPrefixItsOwn() && !SERVICE_LINK.matcher(name).matches()) {
        throw unknown("environment: unknown variable", name, schema.variables());
      }
    }
  }

  private void takeFlags(Map<String, String> flags) {
    for (Map.Entry<String, String> flag : new TreeMap<>(flags).entrySet()) {
      Setting<?> setting = schema.find(flag.getKey());
      if (setting == null) {
        throw unknown("flags: unknown key", flag.getKey(), schema.keys());
      }
      take(setting, flag.getValue(), setting.flag());
    }
  }

  private void take(Setting<?> setting, String text, String source) {
    parse(setting, text, source);
    given.put(setting.key(), new Given(text, source));
  }

  private static <T> T parse(Setting<T> setting, String text, String source) {
    try {
      return setting.type().parser().apply(text);
    } catch (IllegalArgumentException e) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          source + ": '" + setting.key() + "' is '" + text + "', which " + e.getMessage(),
          e);
    }
  }

  private FloeException unknown(String what, String name, List<String> known) {
    String nearest = Nearest.of(name, known);
    String advice =
        nearest == null
            ? "known are " + String.join(", ", known)
            : "did you mean '" + nearest + "'?";
    return new FloeException(
        ErrorCode.INVALID_CONFIG, what + " '" + name + "' of a " + schema.name() + "; " + advice);
  }
}
