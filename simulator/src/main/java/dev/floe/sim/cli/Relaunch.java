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

  /// A JVM that has it. One thread does all the work, in runs of a second or less: other collectors and
  /// the second compiler cost more of the processor than they give back.
  static SimJvm jvm(SetupOptions options) {
    return plainJvm(options).with(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
  }

  /// The same with the collector and the compilers left open, for whoever compares some.
  static SimJvm plainJvm(SetupOptions options) {
    boolean isPreempting = options.preemption > 0;
    return new SimJvm(List.of(isPreempting ? "-Xmx2g" : "-Xmx1g"), isPreempting);
  }

  /// Runs the same command line in another JVM.
  ///
  /// @return its exit code
  static int run(CommandSpec spec, SetupOptions options) throws IOException, InterruptedException {
    List<String> words = spec.root().commandLine().getParseResult().originalArgs();
    return new ProcessBuilder(jvm(options).command(SimMain.class.getName(), words))
        .inheritIO()
        .start()
        .waitFor();
  }
}
