package dev.floe.sim.cli;

import dev.floe.sim.fleet.FleetRun;
import dev.floe.sim.plan.Operations.Operation;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.plan.PlanText;
import dev.floe.sim.plan.Shrinker;
import dev.floe.sim.profile.FleetSeeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Looks for a smaller plan that fails in the same way.
@Command(
    name = "shrink",
    mixinStandardHelpOptions = true,
    description = {
      "Leaves faults and operations out of a failing run for as long as the same invariant fails.",
      "Prints the plan that remains, or writes it to --out."
    },
    footer = {
      "",
      "Example:",
      "  floe sim shrink --profile fleet-model --seed 1 --mutant ack-before-commit --out /tmp/1.plan"
    })
final class ShrinkCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin SetupOptions options = new SetupOptions();
  @Mixin RunChoice choice = new RunChoice();

  @Option(
      names = "--budget",
      converter = Durations.class,
      defaultValue = "5m",
      paramLabel = "TIME",
      description = "Begins no run after this time; default 5m.")
  Duration budget = Duration.ofMinutes(5);

  @Option(names = "--out", paramLabel = "FILE", description = "Writes the smaller plan.")
  @Nullable Path file;

  private final long began = System.nanoTime();
  private int runs;

  @Override
  public Integer call() throws IOException, InterruptedException {
    choice.checkPlan(options);
    options.refusePreemption("shrink");
    OutputFile to = OutputFile.orNull("--out", file);
    if (Relaunch.isNeeded(choice.profile(options), options)) {
      return Relaunch.run(spec, options);
    }
    PrintWriter out = spec.commandLine().getOut();
    FleetRun fleet = FleetSeeds.runs(choice.profile(options), options.setup());
    Plan plan = choice.plan(options);
    FleetRun.Report first = fleet.run(plan, FleetRun.TIME_LIMIT, null);
    if (first.isOk()) {
      throw new IllegalArgumentException(
          "seed " + plan.seed() + " does not fail; run finds seeds that do");
    }
    out.println("to keep: " + FailureText.headline(first));
    // A run that lasts much longer than the one that failed has passed what it is about.
    Duration limit = first.outcome().virtualTime().multipliedBy(2).plusSeconds(5);
    Shrinker shrinker =
        new Shrinker(plan, candidate -> fails(fleet, candidate, limit, first.invariant()));
    Plan small = shrinker.shrink(first.witnessed().log().operations().keySet(), likely(first));
    String text =
        PlanText.write(
            small,
            List.of(
                "fails with " + first.invariant(),
                "smaller than seed " + plan.seed() + " after " + runs + " runs"));
    if (to == null) {
      out.print(text);
    } else {
      to.write(text);
      out.println("  replay: bin/floe sim replay --plan " + to.path());
    }
    out.flush();
    return 0;
  }

  private static List<Operation> likely(FleetRun.Report failed) {
    Set<String> keys = failed.witnessed().log().keysOf(FailureText.message(failed));
    return failed.witnessed().log().operations().entrySet().stream()
        .filter(entry -> entry.getValue().stream().anyMatch(keys::contains))
        .map(java.util.Map.Entry::getKey)
        .toList();
  }

  private boolean fails(FleetRun fleet, Plan candidate, Duration limit, String invariant) {
    if (System.nanoTime() - began > budget.toNanos()) {
      return false;
    }
    runs++;
    FleetRun.Report report = fleet.run(candidate, limit, null);
    boolean isSame = !report.isOk() && report.invariant().equals(invariant);
    if (isSame) {
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          "run %d: fails with %d faults and %s operations%n",
          runs,
          candidate.faults().size(),
          candidate.operations().isAll() ? "all" : candidate.operations().chosen().size());
      out.flush();
    }
    return isSame;
  }
}
