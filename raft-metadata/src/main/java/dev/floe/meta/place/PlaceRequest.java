package dev.floe.meta.place;

import dev.floe.meta.model.RuntimeId;
import java.util.List;

/// What a write asks of placement.
///
/// @param sizeBytes 0 to `Limits.SEGMENT_BYTES_MAX`
/// @param replicaCount how many replicas at most, at least 1
/// @param preferred runtimes to try first, in order
/// @param seed what takes the place of chance
public record PlaceRequest(long sizeBytes, int replicaCount, List<RuntimeId> preferred, long seed) {
  public PlaceRequest {
    preferred = List.copyOf(preferred);
  }
}
