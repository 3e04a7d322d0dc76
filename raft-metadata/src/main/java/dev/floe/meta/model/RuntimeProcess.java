package dev.floe.meta.model;

/// Which process a store runtime is.
///
/// @param incarnation random name of the process: tells a repeated registration from a restarted
///     process
/// @param directory random name of the data directory that the process holds locked, or its own
///     name when it has none: a process with the directory of another one proves that the other one
///     has ended
public record RuntimeProcess(SessionId incarnation, SessionId directory) {
  /// A process without a data directory: nothing can prove that it has ended but its lease.
  public static RuntimeProcess withoutDirectory(SessionId incarnation) {
    return new RuntimeProcess(incarnation, incarnation);
  }
}
