package dev.floe.sim.ratis;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// A parsed command line.
///
/// @param trace the file for a trace, or none
/// @param scenarioArguments those that change what a seed does
record RunArguments(
    String command,
    long firstSeed,
    long lastSeed,
    RatisScenario.Options options,
    Output output,
    List<String> scenarioArguments) {
  /// What is written besides one line for each seed.
  record Output(List<Path> trace, boolean isCheckpoints) {}

  RunArguments {
    scenarioArguments = List.copyOf(scenarioArguments);
  }

  List<Path> trace() {
    return output.trace();
  }

  boolean isCheckpoints() {
    return output.isCheckpoints();
  }

  /// Reads a command line.
  ///
  /// @throws IllegalArgumentException saying what is wrong
  static RunArguments parse(List<String> args) {
    Deque<String> left = new ArrayDeque<>(args);
    String command = left.isEmpty() ? "" : left.remove();
    if (!List.of("run", "replay", "check-determinism", "mutants").contains(command)) {
      throw new IllegalArgumentException("unknown command '" + command + "'");
    }
    Draft draft = new Draft();
    while (!left.isEmpty()) {
      draft.take(left.remove(), left);
    }
    return new RunArguments(
        command,
        draft.first,
        draft.last,
        draft.options,
        new Output(List.copyOf(draft.trace), draft.isCheckpoints),
        draft.scenario);
  }

  private static final class Draft {
    private long first = 1;
    private long last = 20;
    private RatisScenario.Options options = RatisScenario.Options.SHORT;
    private final List<Path> trace = new ArrayList<>();
    private final List<String> scenario = new ArrayList<>();
    private boolean isCheckpoints;

    void take(String name, Deque<String> left) {
      switch (name) {
        case "--seeds" -> {
          String range = value(name, left);
          int dots = range.indexOf("..");
          first = number(name, dots < 0 ? range : range.substring(0, dots));
          last = dots < 0 ? first : number(name, range.substring(dots + 2));
        }
        case "--seed" -> {
          first = number(name, value(name, left));
          last = first;
        }
        case "--trace" -> trace.add(Path.of(value(name, left)));
        case "--checkpoints" -> isCheckpoints = true;
        case "--no-faults" -> {
          options = options.withFaults(false);
          scenario.add(name);
        }
        default -> {
          String text = value(name, left);
          options = options.with(name, Math.toIntExact(number(name, text)));
          scenario.add(name);
          scenario.add(text);
        }
      }
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
  }
}
