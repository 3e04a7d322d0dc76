package dev.floe.store.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All settings of one kind of process.
///
/// @param name `master`, `store` or `client`
/// @param variablePrefix what its environment variables start with, e.g. `FLOE_MASTER_`
/// @param isPrefixItsOwn whether every variable with this prefix has to be one of its settings
public record Schema(
    String name, String variablePrefix, boolean isPrefixItsOwn, List<Setting<?>> settings) {
  public Schema {
    settings = List.copyOf(settings);
    Set<String> names = new HashSet<>();
    for (Setting<?> setting : settings) {
      if (!names.add(setting.flag()) || !names.add(setting.variable(variablePrefix))) {
        throw new IllegalArgumentException("two settings are called " + setting.key());
      }
    }
  }

  /// The setting that a key of the file belongs to: the one of that name, or a map whose entry it
  /// is; null when unknown.
  @Nullable Setting<?> find(String key) {
    for (Setting<?> setting : settings) {
      if (setting.key().equals(key)
          || (setting.type().shape() == SettingType.Shape.MAP
              && key.startsWith(setting.key() + "."))) {
        return setting;
      }
    }
    return null;
  }

  List<String> keys() {
    return settings.stream().<String>map(Setting::key).toList();
  }

  List<String> variables() {
    return settings.stream().map(setting -> setting.variable(variablePrefix)).toList();
  }
}
