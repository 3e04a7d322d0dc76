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

  /// Reads what `write` has written.
  ///
  /// @throws IllegalArgumentException naming the line
  public static Plan read(String text) {
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
    for (int i = 1; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isEmpty() && !line.startsWith("#")) {
        try {
          draft.take(line.split("\\s+", -1));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
          throw new IllegalArgumentException(
              "line " + (i + 1) + ": '" + line + "' is no item of a plan: " + e.getMessage(), e);
        }
      }
    }
    return draft.plan();
  }

  private static final class Draft {
    private final Map<String, String> words = new HashMap<>();
    private final SortedMap<String, String> settings = new TreeMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private final SortedSet<Operations.Operation> chosen = new TreeSet<>();
    private boolean isAll;

    void take(String[] word) {
      switch (word[0]) {
        case "profile", "seed", "schedule" -> words.put(word[0], word[1]);
        case "set" -> settings.put(word[1], word[2]);
        case "fault" ->
            faults.add(
                new Fault(
                    Integer.parseInt(word[1]),
                    Integer.parseInt(word[3]),
                    Long.parseLong(word[5]),
                    word[8],
                    Long.parseLong(word[7])));
        case "operations" -> operations(word);
        default -> throw new IllegalArgumentException("'" + word[0] + "' is unknown");
      }
    }

    private void operations(String[] word) {
      if (word[1].equals("all")) {
        isAll = true;
        return;
      }
      for (String number : word[2].split(",", -1)) {
        chosen.add(new Operations.Operation(word[1], Integer.parseInt(number)));
      }
    }

    Plan plan() {
      long seed = Long.decode(word("seed"));
      return new Plan(
          word("profile"),
          seed,
          words.containsKey("schedule") ? Long.decode(word("schedule")) : seed,
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
