package dev.floe.meta.model;

/// One copy of an object.
///
/// @param id globally unique and increasing; it is the write token that every read and write of the
///     copy carries
public record Replica(long id, ReplicaStatus status, ReplicaLocation location) {
  public Replica withStatus(ReplicaStatus newStatus) {
    return new Replica(id, newStatus, location);
  }
}
