package dev.floe.store.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations as people write them: `500ms`, `10s`, `2m`, `1h`, `7d`.
public final class DurationText {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,15})\\s*(ms|s|m|h|d)?");

  private DurationText() {}

  /// Reads a whole number with its unit; the unit is required, except for 0.
  ///
  /// @throws IllegalArgumentException saying what is wrong with the text
  public static Duration parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is not a duration such as 500ms, 10s or 2m");
    }
    long amount = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2);
    if (unit == null) {
      if (amount == 0) {
        return Duration.ZERO;
      }
      throw new IllegalArgumentException(
          "has no unit; write " + amount + "ms or " + amount + "s to say which is meant");
    }
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /// A text that reads back as the same duration, exact to the millisecond.
  public static String exact(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0 || millis == 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
