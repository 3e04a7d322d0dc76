package dev.floe.core.error;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The one exception of Floe: a code for programs, a message for people, and named values for both.
///
/// The message names the key or file, the value seen, the limit, and what to do next.
public final class FloeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient Map<String, String> context;

  public FloeException(ErrorCode code, String message) {
    this(code, message, Map.of(), null);
  }

  public FloeException(ErrorCode code, String message, @Nullable Throwable cause) {
    this(code, message, Map.of(), cause);
  }

  public FloeException(
      ErrorCode code, String message, Map<String, String> context, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.context = Map.copyOf(context);
  }

  /// What went wrong, for programs.
  public ErrorCode code() {
    return code;
  }

  /// For people: what was seen, the limit, and what to do next; the code's name when nothing was
  /// given.
  @Override
  public String getMessage() {
    return Objects.requireNonNullElse(super.getMessage(), code.name());
  }

  /// Named values, for example `leader` -> `host:port` on `NOT_LEADER`; sorted by name.
  public Map<String, String> context() {
    return new TreeMap<>(context);
  }
}
