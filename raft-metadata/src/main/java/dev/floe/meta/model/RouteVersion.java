package dev.floe.meta.model;

/// When a route was made: the Raft index of its `PutStart` and the command's place in that entry.
/// It only grows.
public record RouteVersion(long index, int ordinal) implements Comparable<RouteVersion> {
  @Override
  public int compareTo(RouteVersion other) {
    int byIndex = Long.compare(index, other.index);
    return byIndex != 0 ? byIndex : Integer.compare(ordinal, other.ordinal);
  }

  @Override
  public String toString() {
    return index + "." + ordinal;
  }
}
