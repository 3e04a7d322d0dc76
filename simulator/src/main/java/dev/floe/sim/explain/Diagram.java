package dev.floe.sim.explain;

import dev.floe.sim.explain.RunLog.Kind;
import dev.floe.sim.explain.RunLog.Note;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A time-space diagram: a row is an event, a column a process.
///
/// @param nodes the columns
/// @param rows from early to late
public record Diagram(List<String> nodes, List<Row> rows) {
  public Diagram {
    nodes = List.copyOf(nodes);
    rows = List.copyOf(rows);
  }

  /// How a process is at an event.
  public enum State {
    /// It runs.
    UP('|'),
    /// It is dead.
    DOWN(' '),
    /// It stands still and will come back as it was.
    PAUSED(':'),
    /// A call of it is about the keys in question and not answered yet.
    CALLING('!');

    private final char sign;

    State(char sign) {
      this.sign = sign;
    }
  }

  /// An event.
  ///
  /// @param states how each node is afterwards, in the order of the columns
  public record Row(Note note, List<State> states) {
    public Row {
      states = List.copyOf(states);
    }

    /// What is told of it.
    public String text() {
      String where = note.node().isEmpty() ? "" : note.node() + " ";
      return switch (note.kind()) {
        case FAULT -> "-- " + note.text();
        case PROCESS -> where + note.text();
        case LEADER, COMMIT -> note.text();
        case MESSAGE ->
            String.format(
                Locale.ROOT,
                "%s > %s %s (sent at %.6f)",
                note.key(),
                note.node(),
                note.text(),
                note.sinceNanos() / 1e9);
        case CALL -> note.text() + " " + note.key();
        case ANSWER ->
            String.format(
                Locale.ROOT,
                "%s %s (asked at %.3f)",
                note.text(),
                note.key(),
                note.sinceNanos() / 1e9);
      };
    }
  }

  /// Draws the end of a run.
  ///
  /// @param keys whose calls are drawn; faults, processes and leaders always are
  /// @param rowsMax the last so many events
  /// @param arrowsMax and the last so many messages among them that have to do with the keys
  public static Diagram of(RunLog log, Set<String> keys, int rowsMax, int arrowsMax) {
    Set<String> nodes = new TreeSet<>();
    List<Note> notes = new ArrayList<>();
    for (Note note : log.notes()) {
      if (note.kind() == Kind.PROCESS) {
        nodes.add(note.node());
      }
      boolean isWanted =
          switch (note.kind()) {
            case FAULT, PROCESS, LEADER -> true;
            case COMMIT, MESSAGE -> false;
            case CALL, ANSWER -> keys.contains(note.key());
          };
      if (isWanted) {
        notes.add(note);
      }
    }
    long from = notes.size() <= rowsMax ? 0 : notes.get(notes.size() - rowsMax).nanos();
    List<Note> arrows = Arrows.of(log, keys, from, arrowsMax);
    // The sort is stable: a message comes before what it brought about at the same time.
    notes.addAll(0, arrows);
    notes.sort(Comparator.comparingLong(Note::nanos));
    List<String> columns = List.copyOf(nodes);
    List<Row> rows = new ArrayList<>();
    Map<String, State> states = new HashMap<>();
    Map<String, Set<String>> open = new HashMap<>();
    for (Note note : notes) {
      advance(note, states, open);
      List<State> now = new ArrayList<>();
      for (String node : columns) {
        State state = states.getOrDefault(node, State.DOWN);
        boolean isCalling = !open.getOrDefault(node, Set.of()).isEmpty();
        now.add(state == State.UP && isCalling ? State.CALLING : state);
      }
      rows.add(new Row(note, now));
    }
    int shown = Math.min(rows.size(), rowsMax + arrows.size());
    return new Diagram(columns, rows.subList(rows.size() - shown, rows.size()));
  }

  private static void advance(Note note, Map<String, State> states, Map<String, Set<String>> open) {
    switch (note.kind()) {
      case PROCESS -> {
        if (note.text().equals("is killed")) {
          states.put(note.node(), State.DOWN);
          open.remove(note.node());
        } else {
          states.put(note.node(), note.text().equals("is paused") ? State.PAUSED : State.UP);
        }
      }
      case CALL -> {
        var _ = open.computeIfAbsent(note.node(), node -> new TreeSet<>()).add(call(note));
      }
      case ANSWER -> open.getOrDefault(note.node(), new TreeSet<>()).remove(call(note));
      case FAULT, LEADER, COMMIT, MESSAGE -> {}
    }
  }

  private static String call(Note note) {
    return note.text().substring(0, note.text().indexOf(' ')) + " " + note.key();
  }

  /// As lines: the time, the columns with `*` where it happened, the event.
  public String text() {
    StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%9s ", "seconds"));
    nodes.forEach(node -> text.append(' ').append(node));
    text.append('\n');
    for (Row row : rows) {
      text.append(String.format(Locale.ROOT, "%9.3f ", row.note.nanos() / 1e9));
      text.append(lanes(row));
      text.append("  ").append(row.text()).append('\n');
    }
    return text.append(
            "| up, blank down, : paused, ! waits for an answer about the keys, * the event\n")
        .append(
            rows.stream().anyMatch(row -> row.note.kind() == Kind.MESSAGE)
                ? "o--> a message while such an answer is awaited, at the time when it arrived\n"
                : "")
        .toString();
  }

  /// The columns of a row.
  private StringBuilder lanes(Row row) {
    StringBuilder lanes = new StringBuilder();
    int sender = -1;
    int receiver = -1;
    for (int i = 0; i < nodes.size(); i++) {
      String node = nodes.get(i);
      boolean isHere = node.equals(row.note.node());
      if (row.note.kind() == Kind.MESSAGE) {
        sender = node.equals(row.note.key()) ? lanes.length() + 1 : sender;
        receiver = isHere ? lanes.length() + 1 : receiver;
      }
      lanes.append(' ').append(isHere ? '*' : row.states.get(i).sign);
      lanes.append(" ".repeat(node.length() - 1));
    }
    if (sender >= 0 && receiver >= 0) {
      for (int at = Math.min(sender, receiver) + 1; at < Math.max(sender, receiver); at++) {
        lanes.setCharAt(at, '-');
      }
      lanes.setCharAt(sender, 'o');
      lanes.setCharAt(receiver, sender < receiver ? '>' : '<');
    }
    return lanes;
  }
}
