package dev.floe.meta.snapshot;

import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.io.InputStream;

/// Reads a snapshot back into a state.
@SuppressWarnings("DoNotCallSuggester")
public final class SnapshotReader {
  private SnapshotReader() {}

  /// The state in the snapshot, which must end with the stream.
  public static MetadataState read(InputStream in, StateConfig config) throws IOException {
    return read(in, config, DigestMismatchListener.NONE);
  }

  /// The state in the snapshot, reporting digests that differ from the leader's.
  public static MetadataState read(
      InputStream in, StateConfig config, DigestMismatchListener listener) throws IOException {
    throw new UnsupportedOperationException();
  }
}
