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
        "Ends the trace after this step; the run goes to its end.",
        "Without --trace: prints the last events up to this step."
      })
  long until = Long.MAX_VALUE;

  @Option(
      names = "--write-plan",
      paramLabel = "FILE",
      description = "Writes the plan that the seed drew.")
  @Nullable Path written;

  @Override
  public Integer call() throws IOException, InterruptedException {
    choice.check();
    if (until < 0) {
      throw new IllegalArgumentException(
          "--until is " + until + ", but must be 0 or more; a trace's lines begin with the step");
    }
    if (Relaunch.isNeeded(choice.profile(options), options)) {
      return Relaunch.run(spec, options);
    }
    if (trace == null && until == Long.MAX_VALUE) {
      return tell(run(null));
    }
    try (TraceFile file = new TraceFile(trace, until)) {
      SeedReport report = run(file);
      if (trace == null) {
        file.last().forEach(line -> spec.commandLine().getOut().println("  " + line));
      }
      return tell(report);
    }
  }

  private SeedReport run(TraceHash.@Nullable TraceSink sink) throws IOException {
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
    if (written != null) {
      PlanFiles.write(written, PlanText.write(plan, List.of("drawn from seed " + plan.seed())));
    }
    FleetRun runs = FleetSeeds.runs(choice.profile(options), options.setup());
    return FleetSeeds.report(runs.run(plan, FleetRun.TIME_LIMIT, sink));
  }

  private int tell(SeedReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(report.line());
    out.println("  drawn: " + report.text().drawn());
    if (!report.isPassed()) {
      out.println(report.failure().strip());
      FailureText.print(report, choice.replay(options), out);
    }
    out.flush();
    return report.isPassed() ? 0 : 1;
  }
}
