package dev.floe.sim.cli;

import dev.floe.sim.profile.SeedReport;
import dev.floe.sim.profile.SeedRunner;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import picocli.CommandLine;

/// A JVM that runs the seeds that its parent sends, until the parent closes the stream.
///
/// Standard input: seeds of 8 bytes. Standard output: `SeedReport.write` for each.
public final class SimWorker {
  private SimWorker() {}

  /// @param arguments those of `SetupOptions`
  public static void main(String[] arguments) throws IOException {
    PrintStream stdout = System.out;
    // Whatever a library prints must not get between the reports.
    System.setOut(System.err);
    SetupOptions options = new SetupOptions();
    SimMain.converted(new CommandLine(options)).parseArgs(arguments);
    SeedRunner runner = options.profile.runner(options.setup());
    DataInputStream in = new DataInputStream(System.in);
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(stdout));
    while (true) {
      long seed;
      try {
        seed = in.readLong();
      } catch (EOFException e) {
        System.exit(0);
        return;
      }
      SeedReport report = runner.run(seed, null);
      report.write(out);
      out.flush();
    }
  }
}
