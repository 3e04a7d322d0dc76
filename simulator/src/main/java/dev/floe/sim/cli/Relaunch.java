package dev.floe.sim.cli;

import dev.floe.sim.boot.Hooks;
import dev.floe.sim.profile.Profile;
import dev.floe.sim.vthread.SimJvm;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/// Runs a command again in a JVM that can simulate.
final class Relaunch {
  private Relaunch() {}

  /// Whether this JVM lacks what the runs need.
  static boolean isNeeded(Profile profile, SetupOptions options) {
    return profile.needsAgent()
        && (!Hooks.isAgentLoaded() || (options.preemption > 0 && !Hooks.isPreempting()));
  }

  /// The flags of a JVM that has it.
  static List<String> flags(SetupOptions options) {
    return options.preemption > 0 ? List.of("-Xmx2g", SimJvm.PREEMPTING) : List.of("-Xmx1g");
  }

  /// Runs the same command line in another JVM.
  ///
  /// @return its exit code
  static int run(CommandSpec spec, SetupOptions options) throws IOException, InterruptedException {
    List<String> words = spec.root().commandLine().getParseResult().originalArgs();
    return new ProcessBuilder(SimJvm.command(flags(options), SimMain.class.getName(), words))
        .inheritIO()
        .start()
        .waitFor();
  }
}
