package dev.floe.meta.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What kind of data an object holds, as its writer says. Kept and shown; nothing is decided by it.
public enum DataType {
  UNKNOWN(0),
  KVCACHE(1),
  TENSOR(2),
  WEIGHT(3),
  SAMPLE(4),
  ACTIVATION(5),
  GRADIENT(6),
  OPTIMIZER_STATE(7),
  METADATA(8),
  GENERAL(9);

  private static final List<DataType> BY_NUMBER = List.of(values());

  private final int number;

  DataType(int number) {
    this.number = number;
  }

  /// Its number on the wire and in the log; never reused.
  public int number() {
    return number;
  }

  /// The type of a number, or null when this release has none.
  public static @Nullable DataType ofNumber(int number) {
    return number < 0 || number >= BY_NUMBER.size() ? null : BY_NUMBER.get(number);
  }
}
