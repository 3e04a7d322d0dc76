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

  /// Whether this JVM lacks what the profile needs.
  static boolean isNeeded(Profile profile) {
    return profile.needsAgent() && !Hooks.isAgentLoaded();
  }

  /// Runs the same command line in another JVM.
  ///
  /// @return its exit code
  static int run(CommandSpec spec) throws IOException, InterruptedException {
    List<String> words = spec.root().commandLine().getParseResult().originalArgs();
    return new ProcessBuilder(SimJvm.command(List.of("-Xmx1g"), SimMain.class.getName(), words))
        .inheritIO()
        .start()
        .waitFor();
  }
}
