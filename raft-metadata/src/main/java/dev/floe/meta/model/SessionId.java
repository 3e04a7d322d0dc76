package dev.floe.meta.model;

/// A 128-bit name: of a client session, of a runtime's incarnation.
///
/// A client asks for a session with a name that it draws at random (the nonce); the session's id is
/// made by the state that opens it, from the nonce's high half and a number that the log gives only
/// once. So an id is never used again, whatever copies of an opening arrive however late. An
/// incarnation's name is what the runtime drew.
public record SessionId(long high, long low) implements Comparable<SessionId> {
  /// How many places of an entry have numbers of their own; an entry has
  /// `Limits.ENTRY_COMMANDS_MAX` commands at most, which is far below.
  public static final int PLACES_PER_ENTRY = 4096;

  /// The id of the session that a command opens.
  ///
  /// @param nonce the name that the client drew
  /// @param index of the command's entry in the log
  /// @param ordinal place in the entry, 0 to below `PLACES_PER_ENTRY`
  public static SessionId opened(SessionId nonce, long index, int ordinal) {
    if (ordinal < 0 || ordinal >= PLACES_PER_ENTRY) {
      throw new IllegalArgumentException("place " + ordinal + " of an entry has no number");
    }
    return new SessionId(nonce.high, index * PLACES_PER_ENTRY + ordinal);
  }

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
