package dev.floe.sim.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads `500ms`, `60s`, `10m` or `2h`.
final class Durations implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > 9) {
      throw new TypeConversionException("'" + text + "' is not a time such as 60s or 10m");
    }
    long number = Long.parseLong(text.substring(0, digits));
    return switch (text.substring(digits)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> throw new TypeConversionException("'" + text + "' has no unit ms, s, m or h");
    };
  }
}
