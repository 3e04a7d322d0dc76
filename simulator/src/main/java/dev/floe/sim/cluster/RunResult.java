package dev.floe.sim.cluster;

import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Situations;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How a run ended.
///
/// @param failure null when every oracle was content
/// @param checkpoints hashes after each thousand steps, then the last hash
public record RunResult(
    SimOptions options,
    long steps,
    List<Long> checkpoints,
    Situations situations,
    @Nullable Failure failure) {
  public RunResult {
    checkpoints = List.copyOf(checkpoints);
  }

  /// What went wrong.
  ///
  /// @param lastEvents the events that led to it, oldest first
  public record Failure(
      Invariant invariant,
      String message,
      long step,
      long atNanos,
      List<String> lastEvents,
      @Nullable Throwable cause) {
    public Failure {
      lastEvents = List.copyOf(lastEvents);
    }
  }

  public boolean isPassed() {
    return failure == null;
  }

  /// The hash over the whole run.
  public long hash() {
    return checkpoints.getLast();
  }

  /// The failure as one block for people, with the command that shows it again; empty when there is
  /// none.
  public String report() {
    Failure what = failure;
    if (what == null) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "FAIL invariant=%s seed=%d step=%d t=%.6fs hash=%016x%n  %s%n  options: %s%n",
            what.invariant,
            options.seed(),
            what.step,
            what.atNanos / 1e9,
            hash(),
            what.message,
            options));
    text.append("  replay:  ").append(replayCommand()).append(System.lineSeparator());
    what.lastEvents.forEach(
        event -> text.append("  ").append(event).append(System.lineSeparator()));
    if (what.cause != null) {
      text.append("  thrown at:").append(System.lineSeparator());
      for (StackTraceElement frame : what.cause.getStackTrace()) {
        text.append("    ").append(frame).append(System.lineSeparator());
      }
    }
    return text.toString();
  }

  private String replayCommand() {
    String kind = options.profile().equals("swarm") ? "" : "-" + options.profile();
    return "bin/floe sim replay --profile commands"
        + kind
        + " --seed "
        + options.seed()
        + (options.mutant() == null
            ? ""
            : " --mutant " + options.mutant().name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
