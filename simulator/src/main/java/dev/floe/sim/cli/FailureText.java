package dev.floe.sim.cli;

import dev.floe.sim.fleet.FleetRun;
import dev.floe.sim.profile.FleetSeeds;
import dev.floe.sim.profile.SeedReport;
import java.io.PrintWriter;
import java.util.Locale;

/// How a failure is told.
final class FailureText {
  private FailureText() {}

  /// All that a failed run says; empty when it passed.
  static String message(FleetRun.Report run) {
    Throwable failure = run.outcome().failure();
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  /// The invariant and the first line of what a failed run says.
  static String headline(FleetRun.Report run) {
    return run.invariant() + ": " + FleetSeeds.report(run).headline();
  }

  /// What failed, and on one line how to see it again.
  static void print(SeedReport report, String replay, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "FAIL invariant=%s seed=%d step=%d t=%.3fs hash=%016x%n",
        report.invariant(),
        report.seed(),
        report.cost().steps(),
        report.cost().virtualMillis() / 1000.0,
        report.cost().hash());
    out.println("  " + report.headline());
    out.println("  replay: " + replay);
    out.flush();
  }
}
