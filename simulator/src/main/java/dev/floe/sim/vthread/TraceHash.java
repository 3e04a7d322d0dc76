package dev.floe.sim.vthread;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The fingerprint of a run: a rolling hash over everything that happened, with a checkpoint every
/// so many steps, so that the first difference of two runs is found without keeping either.
///
/// Used by the carrier and by the simulated thread that it runs, so by one thread at a time.
public final class TraceHash {
  /// Steps between two checkpoints.
  public static final int CHECKPOINT_STEPS = 1000;

  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private final @Nullable TraceSink sink;
  private long hash = 0xcbf29ce484222325L;
  private long steps;

  TraceHash(@Nullable TraceSink sink) {
    this.sink = sink;
  }

  /// Mixes a number in.
  public void mix(long value) {
    long h = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash = h ^ h >>> 29;
  }

  void step(long nanos, int thread) {
    mix(nanos);
    mix(thread);
    if (++steps % CHECKPOINT_STEPS == 0) {
      checkpoints.add(new Checkpoint(steps, nanos, hash));
    }
  }

  /// Whether lines are wanted: making one up costs more than hashing.
  boolean isTraced() {
    return sink != null;
  }

  void line(long nanos, String kind, String text) {
    if (sink != null) {
      sink.line(steps, nanos, kind, text);
    }
  }

  /// The hash up to now.
  public long value() {
    return hash;
  }

  /// Scheduling steps up to now.
  public long steps() {
    return steps;
  }

  /// The checkpoints up to now.
  public List<Checkpoint> checkpoints() {
    return List.copyOf(checkpoints);
  }

  /// The hash after so many steps.
  public record Checkpoint(long step, long nanos, long hash) {}

  /// Takes the lines of a trace: `R` a thread runs, `T` a timer fires, `M` a message, `E` an event.
  @FunctionalInterface
  public interface TraceSink {
    void line(long step, long nanos, String kind, String text);

    /// The step after which no more is wanted: the run halts there.
    default long lastStep() {
      return Long.MAX_VALUE;
    }
  }
}
