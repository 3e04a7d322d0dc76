package dev.floe.store.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The world of a command: its streams and its environment.
///
/// @param out results only
/// @param err progress, errors and advice
/// @param isErrTerminal whether a person watches `err`
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean isErrTerminal,
    Map<String, String> environment) {
  /// What the launcher says about standard error; Java itself cannot tell.
  static final String ERR_TERMINAL_PROPERTY = "floe.stderr.terminal";

  public Terminal {
    environment = Map.copyOf(environment);
  }

  /// The streams and the environment of this process. Standard output is unbuffered for bytes of
  /// values and UTF-8 for text.
  public static Terminal ofProcess() {
    return new Terminal(
        System.in,
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Boolean.getBoolean(ERR_TERMINAL_PROPERTY),
        System.getenv());
  }
}
