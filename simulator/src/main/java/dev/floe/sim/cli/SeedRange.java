package dev.floe.sim.cli;

import java.util.stream.LongStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Seeds from `first` to `last`, both included; written `1..500` or `7`.
public record SeedRange(long first, long last) {
  public SeedRange {
    if (last < first) {
      throw new TypeConversionException("seeds " + first + ".." + last + " end before they begin");
    }
  }

  LongStream stream() {
    return LongStream.rangeClosed(first, last);
  }

  long size() {
    return last - first + 1;
  }

  /// Reads `A..B` or `A`; decimal, or hexadecimal after `0x`.
  static final class Converter implements ITypeConverter<SeedRange> {
    @Override
    public SeedRange convert(String text) {
      int dots = text.indexOf("..");
      try {
        return dots < 0
            ? new SeedRange(Long.decode(text), Long.decode(text))
            : new SeedRange(
                Long.decode(text.substring(0, dots)), Long.decode(text.substring(dots + 2)));
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' is not A..B, for example 1..500");
      }
    }
  }
}
