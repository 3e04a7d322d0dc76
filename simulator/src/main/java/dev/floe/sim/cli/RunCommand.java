package dev.floe.sim.cli;

import dev.floe.sim.check.Situation;
import dev.floe.sim.check.Situations;
import dev.floe.sim.cluster.RunResult;
import dev.floe.sim.cluster.Simulation;
import dev.floe.sim.cluster.Swarm;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs many seeds and stops at the first that fails.
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description =
        "Runs seeds one after the other; stops at the first failure unless told otherwise.")
final class RunCommand implements Callable<Integer> {
  /// A batch this large must have seen every situation.
  private static final long SEEDS_FOR_ALL_SITUATIONS = 500;

  private static final long PROGRESS_NANOS = 2_000_000_000L;

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--seeds", required = true, description = "For example 1..500.")
  SeedRange seeds = new SeedRange(1, 1);

  @Option(
      names = "--profile",
      defaultValue = "swarm",
      description = "swarm (faults drawn per seed), calm (none) or storm (all); default swarm.")
  String profile = "swarm";

  @Option(
      names = "--budget",
      converter = Durations.class,
      description = "Ends the batch after this time, for example 60s.")
  @Nullable Duration budget;

  @Option(names = "--keep-going", description = "Goes on after a failure.")
  boolean keepGoing;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Situations situations = new Situations();
    long begin = System.nanoTime();
    long lastProgress = begin;
    long runs = 0;
    long failures = 0;
    long steps = 0;
    for (long seed = seeds.first(); seed <= seeds.last() && !isOver(begin); seed++) {
      RunResult result = Simulation.run(Swarm.derive(seed, profile));
      runs++;
      steps += result.steps();
      situations.addAll(result.situations());
      if (!result.isPassed()) {
        failures++;
        out.print(result.report());
        out.flush();
        if (!keepGoing) {
          break;
        }
      }
      long now = System.nanoTime();
      if (now - lastProgress > PROGRESS_NANOS) {
        lastProgress = now;
        out.printf("%d of %d seeds, %d failed%n", runs, seeds.size(), failures);
        out.flush();
      }
    }
    summary(out, situations, new long[] {runs, failures, steps, System.nanoTime() - begin});
    boolean isThin =
        profile.equals("swarm")
            && runs >= SEEDS_FOR_ALL_SITUATIONS
            && !situations.missing().isEmpty();
    return failures > 0 || isThin ? 1 : 0;
  }

  private boolean isOver(long begin) {
    return budget != null && System.nanoTime() - begin > budget.toNanos();
  }

  private static void summary(PrintWriter out, Situations situations, long[] numbers) {
    double seconds = numbers[3] / 1e9;
    out.printf(
        Locale.ROOT,
        "%d runs, %d failed, %d events in %.1f s (%.0f events/s)%n",
        numbers[0],
        numbers[1],
        numbers[2],
        seconds,
        numbers[2] / seconds);
    out.println("situations:");
    for (Situation situation : Situation.values()) {
      long count = situations.count(situation);
      out.printf(
          "  %9d  %s%s%n",
          count, situation, count == 0 ? "   NEVER: this batch did not test it" : "");
    }
    out.flush();
  }
}
