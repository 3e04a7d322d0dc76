package dev.floe.meta.model;

/// Where a runtime stands in its lease. A runtime whose lease ended has no record any more.
public enum RuntimeState {
  /// Renews in time; gets new replicas.
  ALIVE,
  /// Missed its renewals: keeps its replicas, gets no new ones, and returns to ALIVE with its next
  /// renewal.
  SUSPECTED
}
