package dev.floe.store.config;

import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// How the text of a setting is read: its Java type, its limits, and words for both.
///
/// @param label what a value looks like, for help texts, e.g. `SIZE`
/// @param shape what the file may hold besides one text
/// @param parser gives the value, or throws `IllegalArgumentException` whose message continues the
///     sentence "'text' ..."
public record SettingType<T>(String label, Shape shape, Function<String, T> parser) {
  /// What the file may hold for a setting besides one text.
  public enum Shape {
    SCALAR,
    LIST,
    MAP
  }

  private static <T> SettingType<T> of(String label, Function<String, T> parser) {
    return new SettingType<>(label, Shape.SCALAR, parser);
  }

  /// Text that is not blank.
  public static SettingType<String> text() {
    return of(
        "TEXT",
        text -> {
          if (text.isBlank()) {
            throw new IllegalArgumentException("is blank");
          }
          return text;
        });
  }

  /// `true` or `false`.
  public static SettingType<Boolean> bool() {
    return of(
        "true|false",
        text ->
            switch (text.strip()) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("is neither true nor false");
            });
  }

  /// A path; `~` at its start is the user's home.
  public static SettingType<Path> path() {
    return of(
        "PATH",
        text -> {
          if (text.isBlank()) {
            throw new IllegalArgumentException("is blank");
          }
          try {
            return text.equals("~") || text.startsWith("~/")
                ? Path.of(System.getProperty("user.home") + text.substring(1))
                : Path.of(text);
          } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is no path: " + e.getReason(), e);
          }
        });
  }

  /// A whole number within limits.
  public static SettingType<Integer> integer(int min, int max) {
    return of(
        "N",
        text -> {
          long value;
          try {
            value = Long.parseLong(text.strip());
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a whole number", e);
          }
          checkRange(value < min, value > max, Integer.toString(min), Integer.toString(max));
          return (int) value;
        });
  }

  /// A size within limits, as `ByteSize` reads it.
  public static SettingType<Long> size(long min, long max) {
    return of(
        "SIZE",
        text -> {
          long value = ByteSize.parse(text);
          checkRange(value < min, value > max, ByteSize.exact(min), ByteSize.exact(max));
          return value;
        });
  }

  /// A duration within limits, as `DurationText` reads it.
  public static SettingType<Duration> duration(Duration min, Duration max) {
    return of(
        "DURATION",
        text -> {
          Duration value = DurationText.parse(text);
          checkRange(
              value.compareTo(min) < 0,
              value.compareTo(max) > 0,
              DurationText.exact(min),
              DurationText.exact(max));
          return value;
        });
  }

  /// `host:port`.
  public static SettingType<Endpoint> endpoint() {
    return of("HOST:PORT", SettingType::readEndpoint);
  }

  /// One or more values separated by commas, or a list in the file.
  public static <T> SettingType<List<T>> listOf(SettingType<T> item) {
    return new SettingType<>(
        item.label() + ",...",
        Shape.LIST,
        text -> {
          List<T> values = new ArrayList<>();
          for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
              values.add(readItem(item, part.strip()));
            }
          }
          if (values.isEmpty()) {
            throw new IllegalArgumentException("holds no value");
          }
          return List.copyOf(values);
        });
  }

  /// Free names with values: `zone=a,rack=7`, or a mapping in the file.
  public static SettingType<Map<String, String>> map() {
    return new SettingType<>(
        "NAME=VALUE,...",
        Shape.MAP,
        text -> {
          Map<String, String> values = new TreeMap<>();
          for (String part : text.split(",", -1)) {
            if (part.isBlank()) {
              continue;
            }
            int equals = part.indexOf('=');
            if (equals <= 0) {
              throw new IllegalArgumentException("has '" + part + "', which is not NAME=VALUE");
            }
            String name = part.substring(0, equals).strip();
            if (values.put(name, part.substring(equals + 1).strip()) != null) {
              throw new IllegalArgumentException("has the name '" + name + "' twice");
            }
          }
          return Collections.unmodifiableMap(values);
        });
  }

  /// A value with a shape of its own.
  ///
  /// @param parser throws `IllegalArgumentException` as described for this class
  public static <T> SettingType<T> custom(String label, Function<String, T> parser) {
    return of(label, parser);
  }

  static Endpoint readEndpoint(String text) {
    try {
      return Endpoint.parse(text.strip());
    } catch (FloeException e) {
      throw new IllegalArgumentException("is not usable: " + e.getMessage(), e);
    }
  }

  private static <T> T readItem(SettingType<T> item, String part) {
    try {
      return item.parser().apply(part);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("has '" + part + "', which " + e.getMessage(), e);
    }
  }

  private static void checkRange(boolean isBelow, boolean isAbove, String min, String max) {
    if (isBelow || isAbove) {
      throw new IllegalArgumentException(
          "is " + (isBelow ? "below" : "above") + " the limit; allowed is " + min + " to " + max);
    }
  }
}
