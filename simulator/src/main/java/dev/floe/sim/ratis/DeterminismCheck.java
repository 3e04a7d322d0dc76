package dev.floe.sim.ratis;

import dev.floe.sim.vthread.SimJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs the same seeds in two fresh JVMs that differ in heap, collector and compiler, and compares
/// their checkpoint hashes; shows where they part.
public final class DeterminismCheck {
  private static final Way FIRST =
      new Way("first JVM", List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
  private static final Way SECOND = new Way("second JVM", List.of("-Xmx256m", "-XX:+UseG1GC"));

  private final Told told;
  private final SimJvm jvm;
  private final String main;

  /// @param jvm what both JVMs have in common
  /// @param main the class whose command line runs seeds: `run --seeds A..B --checkpoints --keep-going` and
  ///     `replay --seed S --trace FILE`
  public DeterminismCheck(Told told, SimJvm jvm, String main) {
    this.told = told;
    this.jvm = jvm;
    this.main = main;
  }

  /// Where people are told.
  ///
  /// @param out takes the result
  /// @param progress takes what the JVMs say meanwhile, each line with its JVM's name
  public record Told(PrintWriter out, PrintWriter progress) {}

  /// One of the two ways to run the same.
  private record Way(String name, List<String> flags) {}

  /// 0 when both runs of all seeds were the same, 1 when not or when a run failed.
  ///
  /// @param options that change what a seed does
  public int run(long firstSeed, long lastSeed, List<String> options)
      throws IOException, InterruptedException {
    List<String> seeds =
        List.of("--seeds", firstSeed + ".." + lastSeed, "--checkpoints", "--keep-going");
    List<String> one = runIn(FIRST, "run", options, seeds);
    List<String> two = runIn(SECOND, "run", options, seeds);
    PrintWriter out = told.out;
    int differs = firstDifference(one, two);
    if (differs < 0) {
      out.println(
          "deterministic: " + one.size() + " checkpoints and results are equal in both JVMs");
      one.stream().filter(line -> line.contains(" hash of hashes ")).forEach(out::println);
      out.flush();
      return one.stream().anyMatch(line -> line.contains("FAIL")) ? 1 : 0;
    }
    out.println("NOT DETERMINISTIC, first difference:");
    out.println("  " + FIRST.name + ":  " + at(one, differs));
    out.println("  " + SECOND.name + ": " + at(two, differs));
    showTraces(options, seedOf(at(one, differs), firstSeed));
    return 1;
  }

  private static String at(List<String> lines, int index) {
    return index < lines.size() ? lines.get(index) : "(nothing more)";
  }

  private static long seedOf(String line, long firstSeed) {
    int from = line.indexOf("seed=") + 5;
    int to = line.indexOf(' ', from);
    return from < 5 || to < 0 ? firstSeed : Long.parseLong(line.substring(from, to));
  }

  private static int firstDifference(List<String> one, List<String> two) {
    for (int i = 0; i < Math.max(one.size(), two.size()); i++) {
      if (!at(one, i).equals(at(two, i))) {
        return i;
      }
    }
    return -1;
  }

  /// Runs the seed alone in both JVMs with a trace; a difference that needs a history of other
  /// seeds does not show then.
  private void showTraces(List<String> options, long seed)
      throws IOException, InterruptedException {
    Path one = Files.createTempFile("floe-sim", ".trace");
    Path two = Files.createTempFile("floe-sim", ".trace");
    runIn(
        FIRST,
        "replay",
        options,
        List.of("--seed", Long.toString(seed), "--trace", one.toString()));
    runIn(
        SECOND,
        "replay",
        options,
        List.of("--seed", Long.toString(seed), "--trace", two.toString()));
    try (BufferedReader a = Files.newBufferedReader(one);
        BufferedReader b = Files.newBufferedReader(two)) {
      String x = a.readLine();
      String y = b.readLine();
      while (x != null && x.equals(y)) {
        x = a.readLine();
        y = b.readLine();
      }
      told.out.println(
          x == null && y == null
              ? "alone, seed " + seed + " is the same in both: it depends on the seeds before it"
              : "seed "
                  + seed
                  + " parts here:\n  "
                  + FIRST.name
                  + ":  "
                  + x
                  + "\n  "
                  + SECOND.name
                  + ": "
                  + y);
    }
    told.out.println("traces: " + FIRST.name + " " + one + ", " + SECOND.name + " " + two);
    told.out.flush();
  }

  /// The lines of a child JVM, without what may differ: CPU time.
  private List<String> runIn(Way way, String command, List<String> options, List<String> what)
      throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(what);
    args.addAll(options);
    tell(way, command + " with " + String.join(" ", way.flags));
    Process child = new ProcessBuilder(jvm.with(way.flags).command(main, args)).start();
    Thread errors =
        Thread.ofVirtual()
            .start(
                () -> child.errorReader(StandardCharsets.UTF_8).lines().forEach(l -> tell(way, l)));
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = child.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line.replaceAll(" cpu=\\S+", ""));
      }
    }
    int exit = child.waitFor();
    errors.join();
    if (exit > 1) {
      throw new IOException("the " + way.name + " ended with " + exit + ": " + lines);
    }
    return lines;
  }

  private void tell(Way way, String line) {
    told.progress.println(way.name + ": " + line);
    told.progress.flush();
  }
}
