package dev.floe.sim.explain;

import dev.floe.sim.plan.Operations.Operation;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// What is worth telling of a run, as it happens. Taking notes changes nothing in the run. Confined
/// to the simulation's carrier; read after the run.
public final class RunLog {
  /// Enough for the longest run; the oldest are dropped.
  private static final int NOTES_MAX = 200_000;

  /// Messages of some virtual minutes; the oldest are dropped.
  private static final int MESSAGES_MAX = 100_000;

  private final LongSupplier nanos;
  private final Deque<Note> notes = new ArrayDeque<>();
  private final Deque<Note> messages = new ArrayDeque<>();
  private final SortedMap<Operation, Set<String>> operations = new TreeMap<>();
  private final Map<String, Operation> turns = new HashMap<>();
  private Supplier<String> leader = () -> "";
  private String lastLeader = "";
  private long lastIndex;

  /// What a note is about.
  public enum Kind {
    /// The nemesis begins or ends something.
    FAULT,
    /// A process starts, dies, stops or goes on.
    PROCESS,
    /// Who leads changed.
    LEADER,
    /// The first master applied an entry.
    COMMIT,
    /// A client calls.
    CALL,
    /// A client is answered.
    ANSWER,
    /// A message arrives.
    MESSAGE
  }

  /// Something that happened.
  ///
  /// @param node where, or `` for everywhere
  /// @param key of the operation, of a message its sender, or ``
  /// @param sinceNanos when the call that it ends began or the message was sent, else `nanos`
  public record Note(
      long nanos, long sinceNanos, String node, Kind kind, String key, String text) {}

  /// @param nanos virtual time
  public RunLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// Tells how the leader is to be found: its name, `` for none.
  public void watchLeader(Supplier<String> source) {
    leader = source;
  }

  private void add(long since, String node, Kind kind, String key, String text) {
    if (notes.size() == NOTES_MAX) {
      notes.removeFirst();
    }
    notes.addLast(new Note(nanos.getAsLong(), since, node, kind, key, text));
  }

  /// The nemesis did something.
  public void fault(String text) {
    add(nanos.getAsLong(), "", Kind.FAULT, "", text);
  }

  /// Something became of a process.
  public void process(String node, String text) {
    add(nanos.getAsLong(), node, Kind.PROCESS, "", text);
  }

  /// A master applied an entry.
  public void applied(String life, long term, long index) {
    if (index > lastIndex) {
      lastIndex = index;
      add(nanos.getAsLong(), nodeOf(life), Kind.COMMIT, "", "term " + term + " index " + index);
    }
  }

  /// A worker takes its turn at an operation.
  public void operation(String worker, int number) {
    Operation turn = new Operation(worker, number);
    operations.put(turn, new TreeSet<>());
    turns.put(worker, turn);
    String now = leader.get();
    if (!now.equals(lastLeader)) {
      lastLeader = now;
      add(
          nanos.getAsLong(),
          now,
          Kind.LEADER,
          "",
          now.isEmpty() ? "nobody leads" : now + " is seen to lead");
    }
  }

  /// A worker asks about a key.
  public void called(String worker, String key, String what) {
    Operation turn = turns.get(worker);
    if (turn != null) {
      operations.getOrDefault(turn, new TreeSet<>()).add(key);
    }
    add(nanos.getAsLong(), nodeOf(worker), Kind.CALL, key, worker + " " + what);
  }

  /// A worker was answered.
  public void answered(String worker, String key, String what, long sinceNanos) {
    add(sinceNanos, nodeOf(worker), Kind.ANSWER, key, worker + " " + what);
  }

  /// A message arrived.
  public void message(String from, String to, String what, long sentNanos) {
    if (messages.size() == MESSAGES_MAX) {
      messages.removeFirst();
    }
    messages.addLast(new Note(nanos.getAsLong(), sentNanos, to, Kind.MESSAGE, from, what));
  }

  /// The process of a life or of a worker: `c1.0-w2` is `c1`.
  private static String nodeOf(String life) {
    int dot = life.indexOf('.');
    return dot < 0 ? life : life.substring(0, dot);
  }

  /// The messages that arrived, oldest first.
  List<Note> messages() {
    return List.copyOf(messages);
  }

  /// All notes but messages, oldest first.
  public List<Note> notes() {
    return List.copyOf(notes);
  }

  /// All operations that were begun, with the keys that they are about.
  public SortedMap<Operation, Set<String>> operations() {
    return Collections.unmodifiableSortedMap(operations);
  }

  /// Processes that are down or stand still, and the calls that wait for an answer, a line each.
  public String state() {
    Map<String, String> processes = new TreeMap<>();
    Map<String, Note> open = new TreeMap<>();
    for (Note note : notes) {
      switch (note.kind) {
        case PROCESS -> processes.put(note.node, note.text);
        case CALL -> open.put(worker(note), note);
        case ANSWER -> open.remove(worker(note));
        case FAULT, LEADER, COMMIT, MESSAGE -> {}
      }
      if (note.kind == Kind.PROCESS && note.text.equals("is killed")) {
        open.keySet().removeIf(worker -> nodeOf(worker).equals(note.node));
      }
    }
    StringBuilder text = new StringBuilder();
    processes.forEach(
        (node, last) -> {
          if (last.equals("is killed") || last.equals("is paused")) {
            text.append("  ").append(node).append(' ').append(last).append('\n');
          }
        });
    text.append(open.isEmpty() ? "  no operation is open\n" : "  open operations:\n");
    for (Note call : open.values()) {
      text.append(
          String.format(
              Locale.ROOT,
              "    %s %s, asked at t=%.3fs%n",
              call.text,
              call.key,
              call.nanos / 1e9 - 1));
    }
    return text.toString();
  }

  private static String worker(Note note) {
    return note.text.substring(0, note.text.indexOf(' '));
  }

  /// The keys that a failure is about: those that its message names, else those of the calls that
  /// were under way at the end.
  public Set<String> keysOf(String failure) {
    Set<String> named = new TreeSet<>();
    Map<String, Set<String>> open = new HashMap<>();
    for (Note note : notes) {
      if (!note.key.isEmpty()) {
        String word = "(?s).*\\b" + Pattern.quote(note.key) + "(?!\\d).*";
        if (!named.contains(note.key) && failure.contains(note.key) && failure.matches(word)) {
          named.add(note.key);
        }
        Set<String> keys = open.computeIfAbsent(worker(note), name -> new TreeSet<>());
        if (note.kind == Kind.CALL) {
          keys.add(note.key);
        } else {
          keys.remove(note.key);
        }
      }
    }
    if (named.isEmpty()) {
      open.values().forEach(named::addAll);
    }
    return named;
  }
}
