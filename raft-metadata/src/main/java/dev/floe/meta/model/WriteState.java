package dev.floe.meta.model;

/// Who wrote a version of an object, when the write began, and which tokens it was given.
///
/// The tokens outlive the replicas they were given for: when a runtime is lost during the write,
/// the writer may still complete it with the others.
///
/// @param version of the `PutStart`; it names the written version for ever
/// @param writer the session of the `PutStart`
/// @param startMillis leader time of the `PutStart` entry
/// @param firstToken id of the first replica that the write was given
/// @param tokenCount how many it was given; their ids follow each other
/// @param softPin what the write does to the object's soft pin when it is complete
public record WriteState(
    RouteVersion version,
    SessionId writer,
    long startMillis,
    long firstToken,
    int tokenCount,
    SoftPin softPin) {
  /// Whether the token was given to this write, whatever became of its replica.
  public boolean hasToken(long token) {
    return token >= firstToken && token - firstToken < tokenCount;
  }

  public boolean hasAnyToken(Iterable<Long> tokens) {
    for (long token : tokens) {
      if (hasToken(token)) {
        return true;
      }
    }
    return false;
  }
}
