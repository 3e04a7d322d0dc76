package dev.floe.sim.profile;

import dev.floe.sim.check.Violation;
import dev.floe.sim.vthread.TraceHash;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What came of a seed.
///
/// @param invariant the rule that did not hold, or nothing
/// @param failure what was seen, with a stack trace where it tells something; or nothing
/// @param cost numbers of the run
/// @param text what the seed drew and what happened
/// @param checkpoints hashes on the way
/// @param probes how often sites fired and situations were seen
public record SeedReport(
    long seed,
    String invariant,
    String failure,
    Cost cost,
    Text text,
    List<TraceHash.Checkpoint> checkpoints,
    Map<String, Long> probes) {
  /// In place of the invariant when the run was halted.
  static final String HALTED = "HALTED";

  private static final int TEXT_MAX = 16_000;

  /// The names of errors whose message says all; others name themselves.
  private static final Pattern OWN_ERRORS =
      Pattern.compile(
          "^(" + Pattern.quote(Violation.class.getName()) + "|java.lang.AssertionError): ");

  public SeedReport {
    checkpoints = List.copyOf(checkpoints);
    probes = Map.copyOf(probes);
  }

  /// Numbers of a run.
  ///
  /// @param hash the fingerprint
  public record Cost(long hash, long virtualMillis, long cpuMillis, long steps) {}

  /// What people read.
  ///
  /// @param drawn the options that the seed drew
  /// @param summary of what happened; empty when it failed
  public record Text(String drawn, String summary) {}

  /// Whether it stands still where somebody wanted to look at it; `Text.summary` is its state then.
  public boolean isHalted() {
    return invariant.equals(HALTED);
  }

  /// Whether every rule held.
  public boolean isPassed() {
    return invariant.isEmpty();
  }

  /// One line.
  public String line() {
    return String.format(
        Locale.ROOT,
        "seed=%d %s hash=%016x virtual=%.2fs cpu=%.2fs steps=%d %s",
        seed,
        isPassed() ? "ok" : "FAIL invariant=" + invariant,
        cost.hash,
        cost.virtualMillis / 1000.0,
        cost.cpuMillis / 1000.0,
        cost.steps,
        text.summary);
  }

  /// The first line of the failure, of bounded length.
  public String headline() {
    String first = OWN_ERRORS.matcher(failure.lines().findFirst().orElse("")).replaceFirst("");
    return first.length() <= 400 ? first : first.substring(0, 400) + " ...";
  }

  /// Writes it for another process, or for other classes.
  public void write(DataOutput out) throws IOException {
    out.writeLong(seed);
    out.writeUTF(invariant);
    out.writeUTF(shortened(failure));
    out.writeLong(cost.hash);
    out.writeLong(cost.virtualMillis);
    out.writeLong(cost.cpuMillis);
    out.writeLong(cost.steps);
    out.writeUTF(shortened(text.drawn));
    out.writeUTF(shortened(text.summary));
    out.writeInt(probes.size());
    for (Map.Entry<String, Long> probe : new TreeMap<>(probes).entrySet()) {
      out.writeUTF(probe.getKey());
      out.writeLong(probe.getValue());
    }
    out.writeInt(checkpoints.size());
    for (TraceHash.Checkpoint checkpoint : checkpoints) {
      out.writeLong(checkpoint.step());
      out.writeLong(checkpoint.nanos());
      out.writeLong(checkpoint.hash());
    }
  }

  private static String shortened(String text) {
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "\n...";
  }

  /// Reads what `write` has written.
  public static SeedReport read(DataInput in) throws IOException {
    long seed = in.readLong();
    String invariant = in.readUTF();
    String failure = in.readUTF();
    Cost cost = new Cost(in.readLong(), in.readLong(), in.readLong(), in.readLong());
    Text text = new Text(in.readUTF(), in.readUTF());
    Map<String, Long> probes = new TreeMap<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      probes.put(in.readUTF(), in.readLong());
    }
    List<TraceHash.Checkpoint> checkpoints = new ArrayList<>();
    int checkpointCount = in.readInt();
    for (int i = 0; i < checkpointCount; i++) {
      checkpoints.add(new TraceHash.Checkpoint(in.readLong(), in.readLong(), in.readLong()));
    }
    return new SeedReport(seed, invariant, failure, cost, text, checkpoints, probes);
  }
}
