package dev.floe.store.cli.text;

/// Text that does nothing to a terminal: keys may hold any character.
public final class Printable {
  private static final int CHARS_MAX = 64;

  private Printable() {}

  /// The text with control characters written as `\n`, `\t`, `\r` or `\u001b`, and a backslash as
  /// two.
  public static String of(String text) {
    if (text.chars().noneMatch(Printable::needsEscape)) {
      return text;
    }
    StringBuilder safe = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> safe.append("\\n");
                case '\r' -> safe.append("\\r");
                case '\t' -> safe.append("\\t");
                case '\\' -> safe.append("\\\\");
                default -> {
                  if (needsEscape(c)) {
                    safe.append(String.format("\\u%04x", c));
                  } else {
                    safe.append((char) c);
                  }
                }
              }
            });
    return safe.toString();
  }

  /// The text itself, or its beginning when it is long: for what may be anything a user typed.
  public static String shortened(String text) {
    return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "...";
  }

  private static boolean needsEscape(int c) {
    return c == '\\'
        || Character.isISOControl(c)
        || Character.getType(c) == Character.FORMAT
        || c == 0x2028
        || c == 0x2029;
  }
}
