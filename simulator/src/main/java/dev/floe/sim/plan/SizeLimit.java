package dev.floe.sim.plan;

import java.util.List;
import java.util.stream.Collectors;

/// A size of a run that people may choose, with its limits.
///
/// @param name on the command line and in plans
/// @param least allowed value
/// @param most allowed value
public record SizeLimit(String name, int least, int most) {
  /// Reads a value.
  ///
  /// @throws IllegalArgumentException naming the value and the limits
  public int read(String value) {
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + value + "' is not a whole number; " + name + " is " + range(), e);
    }
    if (number < least || number > most) {
      throw new IllegalArgumentException(name + " is " + number + ", but must be " + range());
    }
    return number;
  }

  private String range() {
    return least + " to " + most;
  }

  /// The limits of that name.
  ///
  /// @throws IllegalArgumentException naming all with their limits
  public static SizeLimit named(List<SizeLimit> all, String name) {
    return all.stream()
        .filter(limit -> limit.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no '"
                        + name
                        + "'; there are "
                        + all.stream()
                            .map(limit -> limit.name + " (" + limit.range() + ")")
                            .collect(Collectors.joining(", "))));
  }
}
