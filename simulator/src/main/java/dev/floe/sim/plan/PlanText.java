package dev.floe.sim.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/// Plans as text, one item a line:
///
/// | line | means |
/// | --- | --- |
/// | `floe-plan 1` | the first line: format and version |
/// | `profile NAME`, `seed N`, `schedule N` | what the run is |
/// | `set NAME VALUE` | a size or a knob |
/// | `fault N hand H at MILLIS for MILLIS KIND` | a fault |
/// | `operations all` or `operations WORKER N,N,...` | what clients do; none: nothing |
/// | `# ...` | a remark |
public final class PlanText {
  private static final String HEADER = "floe-plan 1";

  private PlanText() {}

  /// A plan as text.
  ///
  /// @param remarks for people, without the leading `#`
  public static String write(Plan plan, List<String> remarks) {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    remarks.forEach(remark -> text.append("# ").append(remark).append('\n'));
    text.append("profile ").append(plan.profile()).append('\n');
    text.append("seed ").append(plan.seed()).append('\n');
    text.append("schedule ").append(plan.schedule()).append('\n');
    plan.settings()
        .forEach(
            (name, value) ->
                text.append("set ").append(name).append(' ').append(value).append('\n'));
    for (Fault fault : plan.faults()) {
      text.append(
          String.format(
              Locale.ROOT,
              "fault %d hand %d at %d for %d %s%n",
              fault.number(),
              fault.hand(),
              fault.atMillis(),
              fault.millis(),
              fault.kind()));
    }
    if (plan.operations().isAll()) {
      text.append("operations all\n");
    }
    plan.operations().lines().forEach(line -> text.append("operations " + line + "\n"));
    return text.toString();
  }

  /// What a profile knows of the items of its plans; each throws an `IllegalArgumentException` that
  /// says what is wrong and what may be.
  public interface Checks {
    /// Looks at a size or a knob.
    void setting(String name, String value);

    /// Looks at a fault.
    void fault(Fault fault);

    /// Looks for what is missing.
    void whole(Plan plan);
  }

  /// Reads what `write` has written.
  ///
  /// @param checks finds those of a profile's name
  /// @throws IllegalArgumentException naming the line and what is wrong in it
  public static Plan read(String text, Function<String, Checks> checks) {
    List<String> lines = text.lines().map(String::strip).toList();
    if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
      throw new IllegalArgumentException(
          "the first line is '"
              + (lines.isEmpty() ? "" : lines.getFirst())
              + "', a plan begins with '"
              + HEADER
              + "'; write one with replay --write-plan");
    }
    Draft draft = new Draft();
    each(lines, draft::take);
    Plan plan = draft.plan();
    Checks known = known(lines, checks);
    each(
        lines,
        word -> {
          switch (word[0]) {
            case "set" -> known.setting(word[1], word[2]);
            case "fault" -> known.fault(fault(word));
            default -> {}
          }
        });
    known.whole(plan);
    return plan;
  }

  /// Those of the profile that a plan names last.
  private static Checks known(List<String> lines, Function<String, Checks> checks) {
    List<Checks> found = new ArrayList<>();
    each(
        lines,
        word -> {
          if (word[0].equals("profile")) {
            found.add(checks.apply(word[1]));
          }
        });
    return found.getLast();
  }

  /// Does something with the words of each item.
  private static void each(List<String> lines, Consumer<String[]> action) {
    for (int i = 1; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isEmpty() && !line.startsWith("#")) {
        try {
          action.accept(line.split("\\s+", -1));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "line " + (i + 1) + ", '" + line + "': " + e.getMessage(), e);
        }
      }
    }
  }

  private static Fault fault(String[] word) {
    shape(word, "fault N hand H at MILLIS for MILLIS KIND");
    return new Fault(
        number(word[1]), number(word[3]), longNumber(word[5]), word[8], longNumber(word[7]));
  }

  /// The words have to be those of a pattern, whose words in lower case stand for themselves.
  private static void shape(String[] word, String pattern) {
    String[] wanted = pattern.split(" ", -1);
    boolean isSo = word.length == wanted.length;
    for (int i = 0; isSo && i < wanted.length; i++) {
      isSo = wanted[i].equals(wanted[i].toUpperCase(Locale.ROOT)) || wanted[i].equals(word[i]);
    }
    if (!isSo) {
      throw new IllegalArgumentException("it must be '" + pattern + "'");
    }
  }

  private static int number(String word) {
    long number = longNumber(word);
    if (number != (int) number) {
      throw new IllegalArgumentException(number + " is above " + Integer.MAX_VALUE);
    }
    return (int) number;
  }

  private static long longNumber(String word) {
    try {
      return Long.decode(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + word + "' is not a whole number", e);
    }
  }

  private static final class Draft {
    private final Map<String, String> words = new HashMap<>();
    private final SortedMap<String, String> settings = new TreeMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private final SortedSet<Operations.Operation> chosen = new TreeSet<>();
    private boolean isAll;

    void take(String[] word) {
      switch (word[0]) {
        case "profile" -> {
          shape(word, "profile NAME");
          words.put(word[0], word[1]);
        }
        case "seed", "schedule" -> {
          shape(word, word[0] + " N");
          words.put(word[0], Long.toString(longNumber(word[1])));
        }
        case "set" -> {
          shape(word, "set NAME VALUE");
          settings.put(word[1], word[2]);
        }
        case "fault" -> faults.add(fault(word));
        case "operations" -> operations(word);
        default ->
            throw new IllegalArgumentException(
                "'"
                    + word[0]
                    + "' is unknown; there are profile, seed, schedule, set, fault and operations");
      }
    }

    private void operations(String[] word) {
      if (word.length == 2 && word[1].equals("all")) {
        isAll = true;
        return;
      }
      if (word.length != 3) {
        throw new IllegalArgumentException(
            "it must be 'operations all' or 'operations WORKER N,N,...'");
      }
      for (String number : word[2].split(",", -1)) {
        chosen.add(new Operations.Operation(word[1], number(number)));
      }
    }

    Plan plan() {
      long seed = Long.parseLong(word("seed"));
      return new Plan(
          word("profile"),
          seed,
          words.containsKey("schedule") ? Long.parseLong(word("schedule")) : seed,
          settings,
          faults,
          isAll ? Operations.ALL : Operations.of(chosen));
    }

    private String word(String name) {
      String value = words.get(name);
      if (value == null) {
        throw new IllegalArgumentException("the plan has no line '" + name + " ...'");
      }
      return value;
    }
  }
}
