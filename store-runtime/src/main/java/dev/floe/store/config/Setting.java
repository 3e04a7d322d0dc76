package dev.floe.store.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One thing that a process can be told.
///
/// @param key its name in the file, lower case words joined by `-`; a `.` separates sections
/// @param defaultText read like any other value; null when the setting has to be given
/// @param description one sentence without its full stop
public record Setting<T>(
    String key, SettingType<T> type, @Nullable String defaultText, String description) {
  /// Its name on the command line, e.g. `--data-dir`.
  public String flag() {
    return "--" + key.replace('.', '-');
  }

  /// Its name in the environment, e.g. `FLOE_MASTER_DATA_DIR`.
  public String variable(String prefix) {
    return prefix + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
