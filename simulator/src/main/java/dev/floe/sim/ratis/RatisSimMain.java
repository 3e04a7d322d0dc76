package dev.floe.sim.ratis;

import dev.floe.sim.boot.Hooks;
import dev.floe.sim.probe.Coverage;
import dev.floe.sim.probe.ProbeCatalogue;
import dev.floe.sim.vthread.Seeds;
import dev.floe.sim.vthread.SimJvm;
import dev.floe.sim.vthread.TraceHash;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command line of the simulator over real Ratis.
///
/// `run --seeds A..B`, `replay --seed S [--trace FILE]`, `check-determinism --seeds A..B`. In a JVM
/// without the agent it starts one that has it and passes everything on.
public final class RatisSimMain {
  private static final String USAGE =
      """
      usage: run [--seeds A..B] [OPTIONS]            run seeds, one line each
             replay --seed S [--trace FILE] [OPTIONS]  run one seed again
             mutants [--seeds A..B] [OPTIONS]        plant each bug in turn and run seeds until one is found
             check-determinism [--seeds A..B] [OPTIONS]  run seeds in two different JVMs and compare
      OPTIONS: --masters N --clients N --operations N --think MILLIS --snapshot-entries N --no-faults
               --checkpoints   also print a hash every 1000 steps
      """;

  private RatisSimMain() {}

  /// Ends with 0 when all went well, 1 when an invariant was broken, 2 for a wrong command line.
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(List.of(args), System.out));
  }

  /// The same for a caller that has a command line of its own.
  public static int run(List<String> args, PrintStream out)
      throws IOException, InterruptedException {
    RunArguments arguments;
    try {
      arguments = RunArguments.parse(args);
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      out.print(USAGE);
      return 2;
    }
    if (arguments.command().equals("check-determinism")) {
      return new DeterminismCheck(out, RatisSimMain.class.getName())
          .run(arguments.firstSeed(), arguments.lastSeed(), arguments.scenarioArguments());
    }
    if (!Hooks.isAgentLoaded()) {
      List<String> command = SimJvm.command(List.of("-Xmx1g"), RatisSimMain.class.getName(), args);
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
    return arguments.command().equals("mutants")
        ? huntMutants(arguments, out)
        : runSeeds(arguments, out);
  }

  private static int huntMutants(RunArguments arguments, PrintStream out) {
    int missed = 0;
    for (DiskMutant mutant : DiskMutant.values()) {
      if (mutant != DiskMutant.NONE) {
        RatisRun.@Nullable Report found = hunt(mutant, arguments);
        missed += found == null ? 1 : 0;
        out.printf(
            "%-24s %s%n",
            mutant,
            found == null
                ? "MISSED"
                : "found by " + found.invariant() + " at seed " + found.outcome().seed());
      }
    }
    return missed == 0 ? 0 : 1;
  }

  private static RatisRun.@Nullable Report hunt(DiskMutant mutant, RunArguments arguments) {
    RatisRun runs = new RatisRun(arguments.options(), mutant);
    for (long seed = arguments.firstSeed(); seed <= arguments.lastSeed(); seed++) {
      RatisRun.Report report = runs.run(seed, null);
      if (!report.isOk()) {
        return report;
      }
    }
    return null;
  }

  private static int runSeeds(RunArguments arguments, PrintStream out) throws IOException {
    int failed = 0;
    long hashOfHashes = 0;
    Coverage coverage =
        new Coverage(ProbeCatalogue.ofClassPath(System.getProperty("java.class.path")));
    RatisRun runs = new RatisRun(arguments.options());
    for (long seed = arguments.firstSeed(); seed <= arguments.lastSeed(); seed++) {
      RatisRun.Report report = run(runs, seed, arguments.trace());
      hashOfHashes = Seeds.mix(hashOfHashes, report.outcome().hash());
      coverage.add(report.probes().fired(), report.probes().seen());
      out.println(report.line());
      if (arguments.isCheckpoints()) {
        printCheckpoints(report, out);
      }
      if (!report.isOk()) {
        failed++;
        printFailure(report, arguments, out);
      }
    }
    coverage.print(out);
    long all = arguments.lastSeed() - arguments.firstSeed() + 1;
    out.printf("%d passed, %d failed, hash of hashes %016x%n", all - failed, failed, hashOfHashes);
    return failed == 0 ? 0 : 1;
  }

  private static RatisRun.Report run(RatisRun runs, long seed, List<Path> trace)
      throws IOException {
    if (trace.isEmpty()) {
      return runs.run(seed, null);
    }
    try (BufferedWriter file = Files.newBufferedWriter(trace.getFirst());
        PrintWriter writer = new PrintWriter(file)) {
      return runs.run(
          seed,
          (step, nanos, kind, text) ->
              writer.println(step + " " + nanos + " " + kind + " " + text));
    }
  }

  private static void printCheckpoints(RatisRun.Report report, PrintStream out) {
    for (TraceHash.Checkpoint c : report.outcome().checkpoints()) {
      out.printf(
          "checkpoint seed=%d step=%d t=%d hash=%016x%n",
          report.outcome().seed(), c.step(), c.nanos(), c.hash());
    }
  }

  private static void printFailure(
      RatisRun.Report report, RunArguments arguments, PrintStream out) {
    Throwable failure = report.outcome().failure();
    if (failure != null) {
      failure.printStackTrace(out);
    }
    List<String> replay = new ArrayList<>(List.of("replay", "--seed"));
    replay.add(Long.toString(report.outcome().seed()));
    replay.addAll(arguments.scenarioArguments());
    replay.add("--trace");
    replay.add("/tmp/trace.txt");
    out.println("replay: " + RatisSimMain.class.getName() + " " + String.join(" ", replay));
  }
}
