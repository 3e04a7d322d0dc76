package dev.floe.store.node;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What one store runtime needs to start.
///
/// @param cluster the cluster's name, the same on every node of it
/// @param runtime this runtime's stable id; no two processes of a cluster may share it
/// @param address where it listens and what clients are told
/// @param labels free name-value pairs such as `host` and `zone`
/// @param segments at least one
/// @param directory a folder of its own, which keeps a second process with the same settings from
///     starting; empty for none
public record StoreOptions(
    String cluster,
    RuntimeId runtime,
    Address address,
    Map<String, String> labels,
    List<SegmentOptions> segments,
    Optional<Path> directory) {
  /// Bytes of a segment's name.
  private static final int NAME_CHARS_MAX = 128;

  public StoreOptions {
    labels = RuntimeRecord.checkedLabels(labels);
    segments = List.copyOf(segments);
    if (segments.isEmpty()) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG, "store " + runtime + " has no segment; give it at least one");
    }
    Set<String> names = new HashSet<>();
    for (SegmentOptions segment : segments) {
      if (!names.add(segment.name())) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "store " + runtime + " has two segments named '" + segment.name() + "'; rename one");
      }
    }
  }

  /// Bytes of all segments.
  public long totalBytes() {
    return segments.stream().mapToLong(SegmentOptions::capacityBytes).sum();
  }

  /// Where a runtime listens and how others reach it.
  ///
  /// @param listen port 0 for a free one
  /// @param advertisedHost the host that clients are told; empty for the one it listens on, which
  ///     then must not be a wildcard
  public record Address(Endpoint listen, Optional<String> advertisedHost) {
    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

    public Address {
      if (advertisedHost.isEmpty() && WILDCARDS.contains(listen.host())) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "the store listens on "
                + listen
                + ", which is every address: name the host that clients shall use");
      }
    }

    /// What clients are told when it really listens at `bound`.
    Endpoint advertised(Endpoint bound) {
      return new Endpoint(advertisedHost.orElse(listen.host()), bound.port());
    }
  }

  /// A memory segment.
  ///
  /// @param name unique within the runtime, 1 to 128 characters
  /// @param capacityBytes 1 to `Limits.SEGMENT_BYTES_MAX`
  public record SegmentOptions(String name, long capacityBytes) {
    public SegmentOptions {
      if (name.isBlank() || name.length() > NAME_CHARS_MAX) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "segment name '" + name + "' is not 1 to " + NAME_CHARS_MAX + " characters");
      }
      if (capacityBytes <= 0 || capacityBytes > Limits.SEGMENT_BYTES_MAX) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "segment '"
                + name
                + "' has "
                + capacityBytes
                + " bytes; allowed are 1 to "
                + Limits.SEGMENT_BYTES_MAX);
      }
    }
  }
}
