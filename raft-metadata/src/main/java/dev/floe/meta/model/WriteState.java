package dev.floe.meta.model;

/// Who wrote an object, when the write began, and which tokens it was given.
///
/// The tokens outlive the replicas they were given for: when a runtime is lost during the write,
/// the writer may still complete it with the others.
///
/// @param writer the session of the `PutStart`
/// @param startMillis leader time of the `PutStart` entry
/// @param firstToken id of the first replica that the write was given
/// @param tokenCount how many it was given; their ids follow each other
public record WriteState(SessionId writer, long startMillis, long firstToken, int tokenCount) {
  /// Whether the token was given to this write, whatever became of its replica.
  public boolean hasToken(long token) {
    return token >= firstToken && token - firstToken < tokenCount;
  }
}
