package dev.floe.store.cli.shell;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The world of a command: its streams and its environment.
///
/// @param out results only; `bytes` of it takes those of values
/// @param err progress, errors and advice
/// @param isErrTerminal whether a person watches `err`
public record Terminal(
    InputStream in,
    ResultStream out,
    PrintStream err,
    boolean isErrTerminal,
    Map<String, String> environment) {
  /// What the launcher says about standard error; Java itself cannot tell.
  static final String ERR_TERMINAL_PROPERTY = "floe.stderr.terminal";

  /// Where the launcher says how it was called.
  private static final String LAUNCHER_VARIABLE = "FLOE_LAUNCHER";

  public Terminal {
    environment = Map.copyOf(environment);
  }

  /// The streams and the environment of this process; text is UTF-8.
  public static Terminal ofProcess() {
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    return new Terminal(
        System.in,
        ResultStream.of(out, out.getChannel()),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Boolean.getBoolean(ERR_TERMINAL_PROPERTY),
        System.getenv());
  }

  /// The command as it was called, for lines that people copy.
  public String launcher() {
    return environment.getOrDefault(LAUNCHER_VARIABLE, "bin/floe");
  }
}
