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
  private final Map<String, Count> counts = new TreeMap<>();
  private long runs;

  public Coverage(ProbeCatalogue catalogue) {
    this.catalogue = catalogue;
    catalogue.sites().forEach(name -> counts.put(name, new Count("rare path")));
    catalogue.situations().forEach(name -> counts.put(name, new Count("state")));
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
                name,
                count.kind,
                count.runs,
                count.times,
                count.runs == 0 ? "  NEVER" : count.runs < FEW ? "  few" : ""));
    out.printf(
        "%d of %d situations seen in %d runs%n",
        counts.size() - never().size(), counts.size(), runs);
    out.flush();
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
