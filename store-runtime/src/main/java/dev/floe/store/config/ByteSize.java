package dev.floe.store.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sizes as people write them: `4GiB`, `512MiB`, `100MB`, plain bytes.
public final class ByteSize {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,19})\\s*([A-Za-z]*)");
  private static final List<String> BINARY = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");
  private static final List<String> DECIMAL = List.of("B", "kB", "MB", "GB", "TB", "PB");

  private ByteSize() {}

  /// Reads a whole number with an optional unit; units are `KiB`, `MiB`, `GiB`, `TiB`, `PiB`
  /// (powers of 1024) and `kB`, `MB`, `GB`, `TB`, `PB` (powers of 1000), in any case.
  ///
  /// @throws IllegalArgumentException saying what is wrong with the text
  public static long parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is not a size such as 4GiB, 512MiB or 1048576");
    }
    String unit = matcher.group(2);
    long factor = unit.isEmpty() ? 1 : factorOf(unit);
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), factor);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("is larger than any size can be", e);
    }
  }

  private static long factorOf(String unit) {
    long binary = 1;
    long decimal = 1;
    for (int i = 0; i < BINARY.size(); i++) {
      if (BINARY.get(i).equalsIgnoreCase(unit)) {
        return binary;
      }
      if (DECIMAL.get(i).equalsIgnoreCase(unit)) {
        return decimal;
      }
      binary *= 1024;
      decimal *= 1000;
    }
    throw new IllegalArgumentException(
        "has the unknown unit '" + unit + "'; known are KiB, MiB, GiB, TiB, kB, MB, GB, TB");
  }

  /// The shortest text that reads back as exactly `bytes`.
  public static String exact(long bytes) {
    int unit = 0;
    long value = bytes;
    while (value != 0 && value % 1024 == 0 && unit < BINARY.size() - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? Long.toString(value) : value + BINARY.get(unit);
  }

  /// A rounded text for tables: at most four digits and a unit.
  public static String rounded(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < BINARY.size() - 1) {
      value /= 1024;
      unit++;
    }
    String pattern = value < 10 ? "%.2f %s" : value < 100 ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, pattern, value, BINARY.get(unit));
  }
}
