package dev.floe.meta.model;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;

/// The stable name of a store runtime: 1 to 128 of `[0-9A-Za-z_.-]`; it outlives restarts.
public record RuntimeId(String value) implements Comparable<RuntimeId> {
  public RuntimeId {
    boolean valid =
        !value.isEmpty()
            && value.length() <= 128
            && value
                .chars()
                .allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "_.-".indexOf(c) >= 0));
    if (!valid) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "runtime id '" + value + "' is not 1 to 128 of [0-9A-Za-z_.-]");
    }
  }

  @Override
  public int compareTo(RuntimeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
