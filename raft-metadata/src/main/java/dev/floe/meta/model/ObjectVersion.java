package dev.floe.meta.model;

import java.util.List;

/// One written version of an object: its bytes, what keeps them, who wrote them, where they are.
///
/// @param replicas ordered by id; at least one
public record ObjectVersion(
    Content content, Retention retention, WriteState write, List<Replica> replicas) {
  public ObjectVersion {
    replicas = List.copyOf(replicas);
  }

  /// The same with other replicas.
  public ObjectVersion withReplicas(List<Replica> left) {
    return new ObjectVersion(content, retention, write, left);
  }

  /// What the bytes are.
  ///
  /// @param sizeBytes 0 to `Limits.OBJECT_BYTES_MAX`
  /// @param checksum CRC32C of all bytes, as an unsigned value; 0 while they are being written
  public record Content(long sizeBytes, long checksum, DataType dataType) {}
}
