package dev.floe.sim.cli;

import dev.floe.sim.fleet.FleetRun;
import dev.floe.sim.plan.Plan;
import dev.floe.sim.plan.PlanText;
import dev.floe.sim.profile.FleetSeeds;
import dev.floe.sim.profile.SeedReport;
import dev.floe.sim.vthread.TraceHash;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs one seed or one plan again.
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Runs one seed or plan again, and tells all that it drew.",
    footer = {
      "",
      "Examples:",
      "  floe sim replay --seed 42 --profile fleet-model --trace /tmp/42.trace",
      "  floe sim replay --seed 42 --profile fleet-model --until 90000",
      "  floe sim replay --plan /tmp/42.plan",
      "  floe sim replay --seed 42 --profile fleet-model --write-plan /tmp/42.plan"
    })
final class ReplayCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin SetupOptions options = new SetupOptions();
  @Mixin RunChoice choice = new RunChoice();

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Writes every step, message and event: step, virtual ns, kind, text.")
  @Nullable Path trace;

  @Option(
      names = "--until",
      paramLabel = "STEP",
      description = {
        "Halts the run after this step and prints its state there: virtual time, what the masters are, open",
        "operations. Without --trace also the last events before."
      })
  long until = Long.MAX_VALUE;

  @Option(
      names = "--write-plan",
      paramLabel = "FILE",
      description = "Writes the plan that the seed drew.")
  @Nullable Path written;

  @Option(
      names = {"-v", "--verbose"},
      description =
          "Also prints all that is known of a failure, with its stack trace; as --trace does.")
  boolean isVerbose;

  @Override
  public Integer call() throws IOException, InterruptedException {
    choice.check(options);
    if (until < 0) {
      throw new IllegalArgumentException(
          "--until is " + until + ", but must be 0 or more; a trace's lines begin with the step");
    }
    OutputFile traceFile = OutputFile.orNull("--trace", trace);
    OutputFile planFile = OutputFile.orNull("--write-plan", written);
    if (Relaunch.isNeeded(choice.profile(options), options)) {
      return Relaunch.run(spec, options);
    }
    if (trace == null && until == Long.MAX_VALUE) {
      return tell(run(null, planFile));
    }
    try (TraceFile file = new TraceFile(traceFile, until)) {
      SeedReport report = run(file, planFile);
      if (trace == null) {
        file.last().forEach(line -> spec.commandLine().getOut().println("  " + line));
      }
      return tell(report);
    }
  }

  private SeedReport run(TraceHash.@Nullable TraceSink sink, @Nullable OutputFile planFile)
      throws IOException {
    if (options.preemption > 0 && (written != null || choice.file != null)) {
      throw new IllegalArgumentException(
          "--preempt works with --seed alone: a plan does not say who loses the processor when");
    }
    if (options.preemption > 0) {
      return options.profile.runner(options.setup()).run(choice.seed(), sink);
    }
    if (!choice.profile(options).hasPlans()) {
      if (written != null) {
        throw new IllegalArgumentException(
            "profile " + options.profile + " has no plans to write; fleet and fleet-model have");
      }
      return options.profile.runner(options.setup()).run(choice.seed(), sink);
    }
    Plan plan = choice.plan(options);
    if (planFile != null) {
      planFile.write(PlanText.write(plan, List.of("drawn from seed " + plan.seed())));
    }
    FleetRun runs = FleetSeeds.runs(choice.profile(options), options.setup());
    return FleetSeeds.report(runs.run(plan, FleetRun.TIME_LIMIT, sink));
  }

  private int tell(SeedReport report) {
    PrintWriter out = spec.commandLine().getOut();
    if (report.isHalted()) {
      out.printf(
          Locale.ROOT,
          "seed %d halted after step %d at t=%.3fs%n%s",
          report.seed(),
          until,
          report.cost().virtualMillis() / 1000.0,
          report.text().summary());
      out.flush();
      return 0;
    }
    if (report.isPassed()) {
      out.println(report.line());
    } else {
      FailureText.print(report, choice.replay(options), out);
    }
    out.println("  drawn: " + report.text().drawn());
    if (!report.isPassed() && (isVerbose || trace != null)) {
      out.println(report.failure().strip());
    }
    out.flush();
    return report.isPassed() ? 0 : 1;
  }
}
