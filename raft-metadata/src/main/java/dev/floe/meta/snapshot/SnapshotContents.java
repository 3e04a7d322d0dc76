package dev.floe.meta.snapshot;

import dev.floe.meta.state.MetadataState;
import java.util.List;

/// A snapshot that was read, and what its file is made of.
///
/// @param sections in the order of the file
public record SnapshotContents(MetadataState state, List<Section> sections) {
  public SnapshotContents {
    sections = List.copyOf(sections);
  }

  /// The chunks of one kind.
  ///
  /// @param bytes of their payloads
  /// @param records messages in them
  public record Section(String kind, long chunks, long bytes, long records) {
    Section plus(Section other) {
      return new Section(kind, chunks + other.chunks, bytes + other.bytes, records + other.records);
    }
  }
}
