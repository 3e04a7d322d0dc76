package dev.floe.store.segment;

/// An allocated range of a segment in the hands of one write.
///
/// Plain numbers as they came over the wire: `RangeTable` checks them against its segment.
///
/// @param offset from the segment's start, in bytes
/// @param length of the allocated range, in bytes
/// @param token the replica id; greater tokens are later allocations
/// @param objectBytes size of the value, at most `length`
public record TokenRange(long offset, long length, long token, long objectBytes) {
  long end() {
    return offset + length;
  }

  boolean overlaps(TokenRange other) {
    return offset < other.end() && other.offset < end();
  }

  @Override
  public String toString() {
    return "range " + offset + "+" + length + " of token " + token;
  }
}
