package dev.floe.meta.model;

import dev.floe.meta.model.ObjectVersion.Content;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Everything the masters know of one object. Hard state.
///
/// @param current the version that is read; while the object is WRITING, the first one, which
///     nobody reads yet
/// @param next the version that is being written beside the current one and takes its place when
///     it is complete; only in an ACTIVE object
public record ObjectRoute(
    ObjectId id, RouteState state, ObjectVersion current, @Nullable ObjectVersion next) {
  public ObjectRoute {
    if (next != null && state != RouteState.ACTIVE) {
      throw new IllegalArgumentException("a new version of " + id + ", which is " + state);
    }
  }

  /// An object of one version.
  public ObjectRoute(ObjectId id, RouteState state, ObjectVersion current) {
    this(id, state, current, null);
  }

  /// Of the current version.
  public RouteVersion version() {
    return current.write().version();
  }

  /// Of the current version.
  public Content content() {
    return current.content();
  }

  /// Of the current version.
  public Retention retention() {
    return current.retention();
  }

  /// Of the current version.
  public WriteState write() {
    return current.write();
  }

  /// Of the current version.
  public List<Replica> replicas() {
    return current.replicas();
  }

  /// The version whose write is not finished, or null.
  public @Nullable ObjectVersion unfinished() {
    return state == RouteState.WRITING ? current : next;
  }

  /// The same object with another new version, or none.
  public ObjectRoute withNext(@Nullable ObjectVersion version) {
    return new ObjectRoute(id, state, current, version);
  }
}
