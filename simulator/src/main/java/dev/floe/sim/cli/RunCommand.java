package dev.floe.sim.cli;

import dev.floe.sim.probe.Coverage;
import dev.floe.sim.probe.Expected;
import dev.floe.sim.probe.ProbeCatalogue;
import dev.floe.sim.profile.SeedReport;
import dev.floe.sim.vthread.Seeds;
import dev.floe.sim.vthread.TraceHash;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs many seeds and stops at the first that fails.
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Runs seeds; stops at the first failure unless told otherwise.",
    footer = {
      "",
      "Examples:",
      "  floe sim run --profile fleet --seeds 1..1000 --budget 10m --jobs 2",
      "  floe sim run --profile commands --seeds 1..5000 --coverage"
    })
final class RunCommand implements Callable<Integer> {
  private static final int JOBS_MAX = 64;
  private static final boolean IS_TERMINAL = Boolean.getBoolean("floe.stderr.terminal");
  private static final long PROGRESS_NANOS = 500_000_000L;
  private static final long REPORT_NANOS = 10_000_000_000L;

  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin SetupOptions options = new SetupOptions();

  @Option(
      names = {"--seeds", "--seed"},
      required = true,
      paramLabel = "A..B",
      description = "For example 1..500.")
  SeedRange seeds = new SeedRange(1, 1);

  @Option(
      names = "--budget",
      converter = Durations.class,
      paramLabel = "TIME",
      description = "Begins no seed after this time, for example 10m.")
  @Nullable Duration budget;

  @Option(
      names = "--jobs",
      defaultValue = "1",
      paramLabel = "N",
      description = "Runs so many seeds side by side; default 1.")
  int jobs = 1;

  @Option(names = "--keep-going", description = "Goes on after a failure.")
  boolean isKeepingGoing;

  @Option(
      names = "--coverage",
      description = {
        "Prints which situations the runs have seen, and fails when one is missing that so many seeds have to see.",
        "A situation is a rare path of production code that a seed may take on purpose (trouble), or a state that",
        "tests are about."
      })
  boolean isCoverageWanted;

  @Option(names = "--each", description = "Prints a line for each seed.")
  boolean isEachPrinted;

  @Option(
      names = "--checkpoints",
      description = "Also prints the hash after every 1000 steps; only with one job.")
  boolean areCheckpointsPrinted;

  private final TreeMap<Long, Long> hashes = new TreeMap<>();
  private final long began = System.nanoTime();
  private @Nullable Coverage coverage;
  private long failed;
  private long virtualMillis;
  private long steps;
  private long lastProgress = began;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (jobs < 1 || jobs > JOBS_MAX) {
      throw new IllegalArgumentException(
          "--jobs is " + jobs + ", but must be 1 to " + JOBS_MAX + ": one for each core does most");
    }
    if (areCheckpointsPrinted && (jobs > 1 || Relaunch.isNeeded(options.profile, options))) {
      throw new IllegalArgumentException(
          "--checkpoints need one job in a JVM that can simulate; check-determinism starts some");
    }
    coverage = new Coverage(catalogue(), Expected.of(options.profile.toString()));
    new SeedPool(options, jobs).run(seeds.stream().iterator(), this::isOver, this::take);
    clearProgress();
    PrintWriter out = out();
    boolean isThin = false;
    Coverage seen = coverage;
    if (isCoverageWanted && seen != null) {
      seen.print(out);
      isThin = !seen.missing().isEmpty();
      if (isThin) {
        out.printf(
            "missing: %s; %d seeds of this profile have to see that%n",
            String.join(", ", seen.missing()), hashes.size());
      }
    }
    summary(out);
    return failed > 0 || isThin ? 1 : 0;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private ProbeCatalogue catalogue() throws IOException {
    if (options.profile.needsAgent()) {
      ProbeCatalogue found = ProbeCatalogue.ofClassPath(System.getProperty("java.class.path"));
      found.situations().addAll(options.profile.situations());
      return found;
    }
    return new ProbeCatalogue(new TreeSet<>(), new TreeSet<>(options.profile.situations()));
  }

  private boolean isOver() {
    return (failed > 0 && !isKeepingGoing)
        || out().checkError() // nobody would see what comes
        || (budget != null && System.nanoTime() - began > budget.toNanos());
  }

  private void take(SeedReport report) {
    hashes.put(report.seed(), report.cost().hash());
    virtualMillis += report.cost().virtualMillis();
    steps += report.cost().steps();
    Coverage seen = coverage;
    if (seen != null) {
      seen.add(report.probes(), Map.of());
    }
    if (isEachPrinted || areCheckpointsPrinted) {
      out().println(report.line());
    }
    if (areCheckpointsPrinted) {
      for (TraceHash.Checkpoint c : report.checkpoints()) {
        out()
            .printf(
                "checkpoint seed=%d step=%d t=%d hash=%016x%n",
                report.seed(), c.step(), c.nanos(), c.hash());
      }
    }
    if (!report.isPassed()) {
      failed++;
      clearProgress();
      FailureText.print(report, options.replay(report.seed()), out());
    }
    out().flush();
    progress();
  }

  /// One line: on a terminal over and over, elsewhere now and then.
  private void progress() {
    long now = System.nanoTime();
    Coverage seen = coverage;
    if (seen == null || now - lastProgress < (IS_TERMINAL ? PROGRESS_NANOS : REPORT_NANOS)) {
      return;
    }
    lastProgress = now;
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        Locale.ROOT,
        "%s%d of %d seeds, %d failed, %.0f virtual s, %s, %d of %d situations seen%s",
        IS_TERMINAL ? "\r" : "",
        hashes.size(),
        seeds.size(),
        failed,
        virtualMillis / 1000.0,
        pace(hashes.size(), (now - began) / 1e9),
        seen.all() - seen.never().size(),
        seen.all(),
        IS_TERMINAL ? "  " : System.lineSeparator());
    err.flush();
  }

  /// How fast it goes, in a unit in which that is no 0.
  static String pace(int seeds, double seconds) {
    if (seeds == 0) {
      return "no seed yet";
    }
    return seeds >= seconds
        ? String.format(Locale.ROOT, "%.1f seeds/s", seeds / Math.max(seconds, 1e-3))
        : String.format(Locale.ROOT, "%.1f s a seed", seconds / seeds);
  }

  private void clearProgress() {
    if (IS_TERMINAL) {
      spec.commandLine().getErr().print("\r" + " ".repeat(100) + "\r");
      spec.commandLine().getErr().flush();
    }
  }

  private void summary(PrintWriter out) {
    long hashOfHashes = 0;
    for (long hash : hashes.values()) {
      hashOfHashes = Seeds.mix(hashOfHashes, hash);
    }
    if (!areCheckpointsPrinted) {
      double seconds = (System.nanoTime() - began) / 1e9;
      out.printf(
          Locale.ROOT,
          "profile %s: %.1f virtual s, %d steps in %.1f s (%s)%n",
          options.profile,
          virtualMillis / 1000.0,
          steps,
          seconds,
          pace(hashes.size(), seconds));
    }
    out.printf(
        "%d passed, %d failed, hash of hashes %016x%n",
        hashes.size() - failed, failed, hashOfHashes);
    out.flush();
  }
}
