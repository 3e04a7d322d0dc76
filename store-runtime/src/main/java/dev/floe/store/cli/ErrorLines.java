package dev.floe.store.cli;

import dev.floe.core.error.FloeException;
import org.jspecify.annotations.Nullable;

/// The two lines that tell a person of an error.
final class ErrorLines {
  private ErrorLines() {}

  static void print(Terminal terminal, FloeException failure) {
    print(terminal, oneLine(failure.getMessage()), NextStep.of(failure.code()));
  }

  static void print(Terminal terminal, String message, String next) {
    terminal.err().println("floe: " + Printable.of(message));
    terminal.err().println("next: " + next);
  }

  static String oneLine(@Nullable String message) {
    return message == null || message.isBlank()
        ? "no reason given"
        : message.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
