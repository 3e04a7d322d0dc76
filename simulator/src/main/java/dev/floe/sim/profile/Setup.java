package dev.floe.sim.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What changes the runs of a profile, apart from the seed.
///
/// @param options sizes by name
/// @param mutant the planted bug, or `none`
/// @param hasFaults whether anything breaks
/// @param hasTrouble whether sites in production code may take their rare paths
/// @param preemption share of the points of synchronisation at which a thread loses the processor;
///     above 0 each run has classes of its own
public record Setup(
    SortedMap<String, String> options,
    String mutant,
    boolean hasFaults,
    boolean hasTrouble,
    double preemption) {
  private static final double PREEMPTION_MAX = 0.5;

  /// Nothing changed.
  public static final Setup STANDARD = new Setup(new TreeMap<>(), "none", true, true, 0);

  public Setup {
    if (!(preemption >= 0 && preemption <= PREEMPTION_MAX)) {
      throw new IllegalArgumentException(
          "--preempt is "
              + preemption
              + ", but must be 0 to "
              + PREEMPTION_MAX
              + "; 0.02 finds most, more makes runs slow");
    }
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }

  /// What to say of a size that cannot be, as it was typed.
  static IllegalArgumentException wrong(
      Map.Entry<String, String> option, IllegalArgumentException why) {
    return new IllegalArgumentException(
        "--set " + option.getKey() + "=" + option.getValue() + ": " + why.getMessage(), why);
  }

  /// The words of a command line that say this.
  public List<String> words() {
    List<String> words = new ArrayList<>();
    if (!mutant.equals("none")) {
      words.add("--mutant");
      words.add(mutant);
    }
    options.forEach(
        (name, value) -> {
          words.add("--set");
          words.add(name + "=" + value);
        });
    if (!hasFaults) {
      words.add("--no-faults");
    }
    if (!hasTrouble) {
      words.add("--no-buggify");
    }
    if (preemption > 0) {
      words.add("--preempt");
      words.add(Double.toString(preemption));
    }
    return words;
  }
}
