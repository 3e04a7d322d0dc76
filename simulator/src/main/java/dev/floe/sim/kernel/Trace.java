package dev.floe.sim.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What happened in a run: a rolling hash over everything, checkpoints of it, and the last events
/// in words.
///
/// Two runs of one seed must have the same hashes; where they part, the first differing checkpoint
/// tells the thousand steps to look at.
public final class Trace {
  /// Steps between two checkpoints.
  public static final int CHECKPOINT_STEPS = 1000;

  private final int kept;
  private final @Nullable Consumer<String> sink;
  private final ArrayDeque<Note> notes = new ArrayDeque<>();
  private final List<Long> checkpoints = new ArrayList<>();
  private long steps;
  private long nowNanos;
  private long hash = 0x10e0f10eL;

  /// @param kept how many of the last events can be told
  /// @param sink gets every event as a line, or null
  public Trace(int kept, @Nullable Consumer<String> sink) {
    this.kept = kept;
    this.sink = sink;
  }

  /// One event of the scheduler.
  void step(long atNanos, long order, String what) {
    nowNanos = atNanos;
    steps++;
    add(atNanos);
    add(order);
    add(what.hashCode());
    if (steps % CHECKPOINT_STEPS == 0) {
      checkpoints.add(hash);
    }
  }

  /// Something worth telling; all arguments enter the hash except `detail`.
  ///
  /// @param actor who, for example a node's name
  /// @param what a constant name
  /// @param detail anything immutable; shown, not hashed
  public void note(String actor, String what, long a, long b, @Nullable Object detail) {
    add(actor.hashCode());
    add(what.hashCode());
    add(a);
    add(b);
    Note note = new Note(steps, nowNanos, actor, what, a, b, detail);
    if (sink != null) {
      sink.accept(note.toString());
    }
    notes.addLast(note);
    if (notes.size() > kept) {
      notes.removeFirst();
    }
  }

  /// Something worth telling that has one number.
  public void note(String actor, String what, long a) {
    note(actor, what, a, 0, null);
  }

  /// Lets a value into the hash.
  public void add(long value) {
    hash = Long.rotateLeft((hash ^ value) * 0x9e3779b97f4a7c15L, 29);
  }

  /// Events of the scheduler so far.
  public long steps() {
    return steps;
  }

  /// The hash over everything so far.
  public long hash() {
    return hash;
  }

  /// The hash after each `CHECKPOINT_STEPS` steps.
  public List<Long> checkpoints() {
    return List.copyOf(checkpoints);
  }

  /// The last events, oldest first.
  public List<String> lastEvents() {
    return notes.stream().map(Note::toString).toList();
  }

  private record Note(
      long step, long atNanos, String actor, String what, long a, long b, @Nullable Object detail) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%8d %11.6fs %-10s %-22s %d %d%s",
          step,
          atNanos / 1e9,
          actor,
          what,
          a,
          b,
          detail == null ? "" : " " + detail);
    }
  }
}
