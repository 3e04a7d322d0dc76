package dev.floe.meta.model;

import java.util.List;

/// Everything the masters know of one object. Hard state.
///
/// @param replicas ordered by id; at least one
public record ObjectRoute(
    ObjectId id,
    RouteVersion version,
    RouteState state,
    Content content,
    WriteState write,
    List<Replica> replicas) {
  public ObjectRoute {
    replicas = List.copyOf(replicas);
  }

  /// What the bytes are.
  ///
  /// @param sizeBytes 0 to `Limits.OBJECT_BYTES_MAX`
  /// @param checksum CRC32C of all bytes, as an unsigned value; 0 while the object is WRITING
  public record Content(long sizeBytes, long checksum) {}
}
