package dev.floe.meta.snapshot;

import dev.floe.meta.state.StateCapture;
import java.io.IOException;
import java.io.OutputStream;

/// Writes a captured state as a snapshot.
@SuppressWarnings("DoNotCallSuggester")
public final class SnapshotWriter {
  private SnapshotWriter() {}

  /// Writes the whole snapshot; neither closes the stream nor forces anything to a medium. Any
  /// thread, beside apply.
  public static void write(StateCapture capture, OutputStream out) throws IOException {
    throw new UnsupportedOperationException();
  }
}
