package dev.floe.meta.model;

/// Whether an object is being written, can be read, or is on its way out.
public enum RouteState {
  /// Between put start and put end: not readable.
  WRITING,
  ACTIVE,
  DELETING
}
