package dev.floe.meta.model;

/// Which process a store runtime is.
///
/// @param incarnation random name of the process: tells a repeated registration from a restarted
///     process
/// @param directory random name of the data directory that the process holds locked, or its own
///     name when it has none: a later process on the directory of another one proves that the other
///     one has ended
/// @param start which process on its data directory it is, counted durably in the directory from 1;
///     0 without a directory. It tells a later process from a message of an earlier one that comes
///     late
public record RuntimeProcess(SessionId incarnation, SessionId directory, long start) {
  /// A process without a data directory: nothing can prove that it has ended but its lease.
  public static RuntimeProcess withoutDirectory(SessionId incarnation) {
    return new RuntimeProcess(incarnation, incarnation, 0);
  }

  /// Whether this process lived on the same data directory before `other`.
  public boolean isEarlierThan(RuntimeProcess other) {
    return directory.equals(other.directory) && start < other.start;
  }
}
