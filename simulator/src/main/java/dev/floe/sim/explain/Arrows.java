package dev.floe.sim.explain;

import dev.floe.sim.explain.RunLog.Kind;
import dev.floe.sim.explain.RunLog.Note;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Chooses the messages that are worth an arrow: those of a client while a call of it about the keys
/// in question is open, and a few of those that pass between the others meanwhile.
final class Arrows {
  /// Of the messages between others during one call: enough to see an entry go round.
  private static final int OTHERS_OF_A_CALL = 8;

  private final List<Span> spans = new ArrayList<>();

  /// A call about the keys, while it is open.
  private static final class Span {
    private final String node;
    private final long from;
    private final long to;
    private int others;

    Span(String node, long from, long to) {
      this.node = node;
      this.from = from;
      this.to = to;
    }

    boolean holds(Note message) {
      return message.sinceNanos() >= from && message.nanos() <= to;
    }

    boolean isAbout(Note message) {
      return node.equals(message.node()) || node.equals(message.key());
    }
  }

  private Arrows(RunLog log, Set<String> keys) {
    Map<String, Note> open = new HashMap<>();
    for (Note note : log.notes()) {
      if (keys.contains(note.key())) {
        String worker = note.text().substring(0, note.text().indexOf(' ')) + " " + note.key();
        if (note.kind() == Kind.CALL) {
          open.put(worker, note);
        } else if (note.kind() == Kind.ANSWER) {
          open.remove(worker);
          spans.add(new Span(note.node(), note.sinceNanos(), note.nanos()));
        }
      }
    }
    open.values().forEach(call -> spans.add(new Span(call.node(), call.nanos(), Long.MAX_VALUE)));
  }

  /// The last such messages, oldest first.
  ///
  /// @param from arrived no earlier
  /// @param most no more than so many
  static List<Note> of(RunLog log, Set<String> keys, long from, int most) {
    Arrows arrows = new Arrows(log, keys);
    List<Note> chosen = new ArrayList<>();
    List<Note> messages = log.messages();
    for (int i = messages.size() - 1; i >= 0 && chosen.size() < most; i--) {
      Note message = messages.get(i);
      if (message.nanos() < from) {
        break;
      }
      if (arrows.isWanted(message)) {
        chosen.add(message);
      }
    }
    Collections.reverse(chosen);
    return chosen;
  }

  private boolean isWanted(Note message) {
    for (Span span : spans) {
      if (span.holds(message) && (span.isAbout(message) || span.others++ < OTHERS_OF_A_CALL)) {
        return true;
      }
    }
    return false;
  }
}
