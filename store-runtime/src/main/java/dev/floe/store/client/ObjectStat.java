package dev.floe.store.client;

import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RouteVersion;
import java.util.List;

/// What the masters know of a readable object.
///
/// @param checksum CRC32C of all bytes, unsigned
/// @param replicas complete ones, with the runtimes that hold them
public record ObjectStat(
    ObjectKey key,
    RouteVersion version,
    long sizeBytes,
    long checksum,
    List<ReplicaTarget> replicas) {
  public ObjectStat {
    replicas = List.copyOf(replicas);
  }
}
