package dev.floe.store.cli.shell;

import dev.floe.core.error.FloeException;
import dev.floe.store.cli.text.Printable;
import org.jspecify.annotations.Nullable;

/// The two lines that tell a person of an error.
public final class ErrorLines {
  private ErrorLines() {}

  public static void print(Terminal terminal, FloeException failure) {
    print(terminal, oneLine(failure.getMessage()), NextStep.of(failure.code()));
  }

  public static void print(Terminal terminal, String message, String next) {
    terminal.err().println("floe: " + Printable.of(message));
    terminal.err().println("next: " + next);
  }

  public static String oneLine(@Nullable String message) {
    return message == null || message.isBlank()
        ? "no reason given"
        : message.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
