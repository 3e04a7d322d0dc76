package dev.floe.meta.model;

/// The life of a replica: PROCESSING while its writer fills it, then COMPLETE; only COMPLETE ones
/// are readable.
public enum ReplicaStatus {
  PROCESSING,
  COMPLETE
}
