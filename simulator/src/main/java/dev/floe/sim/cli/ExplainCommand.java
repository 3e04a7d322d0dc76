package dev.floe.sim.cli;

import dev.floe.sim.explain.Diagram;
import dev.floe.sim.explain.SvgDiagram;
import dev.floe.sim.fleet.FleetRun;
import dev.floe.sim.profile.FleetSeeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Draws what happened in a run.
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a seed or a plan and draws its time and space: faults, processes, leaders, the calls about the keys that",
      "a failure is about, and the messages between. Times run down, a column is a process."
    },
    footer = {
      "",
      "Examples:",
      "  floe sim explain --profile fleet-model --seed 1 --mutant ack-before-commit",
      "  floe sim explain --plan /tmp/1.plan --out /tmp/1.svg"
    })
final class ExplainCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin SetupOptions options = new SetupOptions();
  @Mixin RunChoice choice = new RunChoice();

  @Option(
      names = "--out",
      paramLabel = "FILE.svg",
      description = "Also draws it as SVG, for a browser.")
  @Nullable Path file;

  @Option(
      names = "--rows",
      defaultValue = "120",
      paramLabel = "N",
      description = "Draws the last N events; default 120.")
  int rows = 120;

  @Option(
      names = "--arrows",
      defaultValue = "60",
      paramLabel = "N",
      description =
          "Draws the last N messages about the keys, each where it arrived; default 60, 0 for none.")
  int arrows = 60;

  @Option(names = "--key", paramLabel = "KEY", description = "Draws the calls about this key.")
  @Nullable String key;

  @Override
  public Integer call() throws IOException, InterruptedException {
    choice.checkPlan(options);
    if (rows < 1) {
      throw new IllegalArgumentException("--rows is " + rows + ", but must be at least 1");
    }
    if (arrows < 0) {
      throw new IllegalArgumentException("--arrows is " + arrows + ", but must be 0 or more");
    }
    options.refusePreemption("explain");
    OutputFile to = OutputFile.orNull("--out", file);
    if (Relaunch.isNeeded(choice.profile(options), options)) {
      return Relaunch.run(spec, options);
    }
    PrintWriter out = spec.commandLine().getOut();
    FleetRun fleet = FleetSeeds.runs(choice.profile(options), options.setup());
    FleetRun.Report run = fleet.run(choice.plan(options), FleetRun.TIME_LIMIT, null);
    String message = FailureText.message(run);
    Set<String> keys = key == null ? run.witnessed().log().keysOf(message) : Set.of(key);
    Diagram diagram = Diagram.of(run.witnessed().log(), keys, rows, arrows);
    String title =
        "seed " + run.plan().seed() + ": " + (run.isOk() ? "ok" : FailureText.headline(run));
    out.print(diagram.text());
    out.println(title);
    if (to != null) {
      to.write(SvgDiagram.draw(diagram, title));
      out.println("drawn: " + to.path());
    }
    out.flush();
    return run.isOk() ? 0 : 1;
  }
}
