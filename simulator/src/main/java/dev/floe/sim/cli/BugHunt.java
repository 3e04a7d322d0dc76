package dev.floe.sim.cli;

import dev.floe.sim.profile.PlantedBug;
import dev.floe.sim.profile.SeedReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The hunt for one planted bug: seeds from one start after the other, each until a rule fails that
/// is there for the bug. Seeds at which another rule fails are told apart and do not count.
///
/// One seed is under way at a time.
final class BugHunt implements PrimitiveIterator.OfLong {
  private final PlantedBug bug;
  private final SeedRange range;
  private final int starts;
  private final List<Caught> caught = new ArrayList<>();
  private final TreeMap<String, Integer> others = new TreeMap<>();
  private int missed;
  private long tried;
  private long virtualMillis;
  private long cpuMillis;

  /// What one start came to.
  ///
  /// @param seeds that it took
  private record Caught(long seeds, long virtualMillis, long cpuMillis, String rule) {}

  /// @param range of the first start; the others follow it
  BugHunt(PlantedBug bug, SeedRange range, int starts) {
    this.bug = bug;
    this.range = range;
    this.starts = starts;
  }

  @Override
  public boolean hasNext() {
    return !isOver();
  }

  @Override
  public long nextLong() {
    if (isOver()) {
      throw new NoSuchElementException("all starts are through");
    }
    return range.first() + (caught.size() + missed) * range.size() + tried;
  }

  boolean isOver() {
    return caught.size() + missed == starts;
  }

  /// Takes the report of the seed that was next.
  void take(SeedReport report) {
    tried++;
    virtualMillis += report.cost().virtualMillis();
    cpuMillis += report.cost().cpuMillis();
    if (bug.catchers().contains(report.invariant())) {
      caught.add(new Caught(tried, virtualMillis, cpuMillis, report.invariant()));
    } else {
      if (!report.isPassed()) {
        others.merge(report.invariant(), 1, Integer::sum);
      }
      if (tried < range.size()) {
        return;
      }
      missed++;
    }
    tried = 0;
    virtualMillis = 0;
    cpuMillis = 0;
  }

  boolean isCaughtFromEachStart() {
    return missed == 0;
  }

  /// A row of the table.
  String line() {
    List<Long> counts = caught.stream().map(Caught::seeds).sorted().toList();
    String rules =
        caught.stream().map(Caught::rule).distinct().sorted().collect(Collectors.joining(" "));
    // Half of the starts may be open, then there is no median.
    boolean hasMedian = counts.size() * 2 > starts;
    return String.format(
        Locale.ROOT,
        "%-13s %-34s %-30s %9s %9s %10s %9s  %s%s%s",
        bug.profile(),
        bug.name(),
        rules.isEmpty() ? "NOTHING" : rules,
        hasMedian ? counts.get((starts - 1) / 2) : "-",
        missed > 0 ? ">" + range.size() : counts.getLast(),
        median(caught.stream().map(Caught::virtualMillis).sorted().toList()),
        median(caught.stream().map(Caught::cpuMillis).sorted().toList()),
        caught.stream().map(c -> Long.toString(c.seeds)).collect(Collectors.joining(" ")),
        missed > 0 ? " MISSED from " + missed : "",
        others.isEmpty() ? "" : " other rules that failed: " + others);
  }

  private String median(List<Long> millis) {
    return millis.size() * 2 > starts
        ? String.format(Locale.ROOT, "%.1f", millis.get((starts - 1) / 2) / 1000.0)
        : "-";
  }
}
