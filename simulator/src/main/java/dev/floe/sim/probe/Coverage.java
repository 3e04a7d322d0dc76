package dev.floe.sim.probe;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Counts the probes over many runs. Not thread-safe.
public final class Coverage {
  private static final long FEW = 5;

  private final ProbeCatalogue catalogue;
  private final Expected expected;
  private final Map<String, Count> counts = new TreeMap<>();
  private long runs;

  /// Expects everything of any number of runs.
  public Coverage(ProbeCatalogue catalogue) {
    this(catalogue, Expected.EVERYTHING);
  }

  /// @throws IllegalArgumentException when a point is expected that does not exist
  public Coverage(ProbeCatalogue catalogue, Expected expected) {
    this.catalogue = catalogue;
    this.expected = expected;
    catalogue.sites().forEach(name -> counts.put(name, new Count("rare path")));
    catalogue.situations().forEach(name -> counts.put(name, new Count("state")));
    for (String name : expected.seeds().keySet()) {
      if (!counts.containsKey(name)) {
        throw new IllegalArgumentException(
            "'" + name + "' is expected but does not exist; correct its line in expected.txt");
      }
    }
  }

  /// Adds a run's counts.
  public void add(Map<String, Long> fired, Map<String, Long> seen) {
    runs++;
    add(fired);
    add(seen);
  }

  private void add(Map<String, Long> more) {
    more.forEach(
        (name, times) -> {
          Count count = counts.get(name);
          if (count == null) {
            throw new IllegalStateException("probe " + name + " is not in the class files");
          }
          count.runs++;
          count.times += times;
        });
  }

  /// What these runs should have seen, being so many, and have not.
  public List<String> missing() {
    return never().stream().filter(name -> expected.isExpected(name, runs)).toList();
  }

  /// The situations that no run has seen and the sites that never fired.
  public List<String> never() {
    List<String> names = new ArrayList<>();
    counts.forEach(
        (name, count) -> {
          if (count.runs == 0) {
            names.add(name);
          }
        });
    return names;
  }

  /// Prints a line for each situation: in how many runs, how often.
  public void print(PrintWriter out) {
    out.printf("%-52s %-10s %6s %9s%n", "situation", "kind", "runs", "times");
    counts.forEach(
        (name, count) ->
            out.printf(
                "%-52s %-10s %6d %9d%s%n",
                name, count.kind, count.runs, count.times, remark(name, count)));
    out.printf(
        "%d of %d situations seen in %d runs%n",
        counts.size() - never().size(), counts.size(), runs);
    out.flush();
  }

  private String remark(String name, Count count) {
    if (count.runs == 0) {
      return expected.isExpected(name, runs) ? "  MISSING" : "  never";
    }
    return count.runs < FEW ? "  few" : "";
  }

  /// How many probes exist.
  public int all() {
    return counts.size();
  }

  /// All probes that exist.
  public ProbeCatalogue catalogue() {
    return catalogue;
  }

  private static final class Count {
    private final String kind;
    private long runs;
    private long times;

    Count(String kind) {
      this.kind = kind;
    }
  }
}
