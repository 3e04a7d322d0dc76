package dev.floe.meta.model;

/// The random 128-bit name that a client gives to its session.
public record SessionId(long high, long low) implements Comparable<SessionId> {
  @Override
  public int compareTo(SessionId other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
