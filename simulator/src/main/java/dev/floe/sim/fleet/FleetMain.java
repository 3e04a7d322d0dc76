package dev.floe.sim.fleet;

import dev.floe.sim.boot.Hooks;
import dev.floe.sim.ratis.DeterminismCheck;
import dev.floe.sim.vthread.Seeds;
import dev.floe.sim.vthread.SimJvm;
import dev.floe.sim.vthread.TraceHash;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command line of the simulator of whole clusters.
///
/// `run --seeds A..B`, `replay --seed S [--trace FILE]`, `check-determinism --seeds A..B`. In a JVM
/// without the agent it starts one that has it and passes everything on.
public final class FleetMain {
  private static final List<String> COMMANDS = List.of("run", "replay", "check-determinism");
  private static final String USAGE =
      """
      usage: run [--seeds A..B] [OPTIONS]              run seeds, one line each
             replay --seed S [--trace FILE] [OPTIONS]  run one seed again, with all that it drew
             check-determinism [--seeds A..B] [OPTIONS]  run seeds in two different JVMs and compare
      OPTIONS: --log ratis|model --masters N --stores N --clients N --chaos SECONDS
               --faults true|false --mutant NAME
               --keep-going    do not stop at the first failure
               --checkpoints   also print a hash every 1000 steps
      """;

  private final PrintStream out;
  private String command = "";
  private long first = 1;
  private long last = 20;
  private FleetOptions options = FleetOptions.STANDARD;
  private final List<String> optionWords = new ArrayList<>();
  private @Nullable Path trace;
  private boolean isKeepingGoing;
  private boolean isCheckpoints;

  private FleetMain(PrintStream out) {
    this.out = out;
  }

  /// Ends with 0 when all went well, 1 when an invariant was broken, 2 for a wrong command line.
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(List.of(args), System.out));
  }

  /// The same for a caller that has a command line of its own.
  public static int run(List<String> args, PrintStream out)
      throws IOException, InterruptedException {
    FleetMain main = new FleetMain(out);
    try {
      main.parse(new ArrayDeque<>(args));
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      out.print(USAGE);
      return 2;
    }
    if (main.command.equals("check-determinism")) {
      return new DeterminismCheck(out, FleetMain.class.getName())
          .run(main.first, main.last, main.optionWords);
    }
    if (!Hooks.isAgentLoaded()) {
      List<String> child = SimJvm.command(List.of("-Xmx1g"), FleetMain.class.getName(), args);
      return new ProcessBuilder(child).inheritIO().start().waitFor();
    }
    return main.runSeeds();
  }

  private void parse(Deque<String> left) {
    command = left.isEmpty() ? "" : left.remove();
    if (!COMMANDS.contains(command)) {
      throw new IllegalArgumentException("unknown command '" + command + "'");
    }
    isKeepingGoing = !command.equals("run");
    while (!left.isEmpty()) {
      String name = left.remove();
      switch (name) {
        case "--seeds", "--seed" -> seeds(name, value(name, left));
        case "--trace" -> trace = Path.of(value(name, left));
        case "--checkpoints" -> isCheckpoints = true;
        case "--keep-going" -> isKeepingGoing = true;
        default -> {
          String text = value(name, left);
          options = options.with(name, text);
          optionWords.add(name);
          optionWords.add(text);
        }
      }
    }
  }

  private void seeds(String name, String range) {
    int dots = range.indexOf("..");
    first = number(name, dots < 0 ? range : range.substring(0, dots));
    last = dots < 0 ? first : number(name, range.substring(dots + 2));
  }

  private static String value(String name, Deque<String> left) {
    if (left.isEmpty()) {
      throw new IllegalArgumentException(name + " needs a value");
    }
    return left.remove();
  }

  private static long number(String name, String text) {
    try {
      return Long.decode(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": '" + text + "' is not a number", e);
    }
  }

  private int runSeeds() throws IOException {
    int passed = 0;
    int failed = 0;
    long hashOfHashes = 0;
    FleetRun runs = new FleetRun(options);
    for (long seed = first; seed <= last && (failed == 0 || isKeepingGoing); seed++) {
      FleetRun.Report report = run(runs, seed);
      hashOfHashes = Seeds.mix(hashOfHashes, report.outcome().hash());
      print(report);
      if (report.isOk()) {
        passed++;
      } else {
        failed++;
      }
    }
    out.printf("%d passed, %d failed, hash of hashes %016x%n", passed, failed, hashOfHashes);
    return failed == 0 ? 0 : 1;
  }

  private FleetRun.Report run(FleetRun runs, long seed) throws IOException {
    Path file = trace;
    if (file == null) {
      return runs.run(seed, null);
    }
    try (BufferedWriter buffered = Files.newBufferedWriter(file);
        PrintWriter writer = new PrintWriter(buffered)) {
      return runs.run(
          seed,
          (step, nanos, kind, text) ->
              writer.println(step + " " + nanos + " " + kind + " " + text));
    }
  }

  private void print(FleetRun.Report report) {
    out.println(report.line());
    if (command.equals("replay") || !report.isOk()) {
      out.println("  drawn: " + report.drawn());
    }
    if (isCheckpoints) {
      for (TraceHash.Checkpoint c : report.outcome().checkpoints()) {
        out.printf(
            "checkpoint seed=%d step=%d t=%d hash=%016x%n",
            report.outcome().seed(), c.step(), c.nanos(), c.hash());
      }
    }
    Throwable failure = report.outcome().failure();
    if (failure != null) {
      failure.printStackTrace(out);
      List<String> words = new ArrayList<>(optionWords);
      out.println(
          "replay: floe sim fleet replay --seed "
              + report.outcome().seed()
              + (words.isEmpty() ? "" : " " + String.join(" ", words)));
    }
  }
}
