package dev.floe.core.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/// An ordered, reliable, two-way stream of bytes under the frames: a socket or a pair of pipes.
///
/// One thread reads and one thread writes at a time; `close` may come from any thread and makes both
/// end with an `IOException`.
public interface ByteLink extends AutoCloseable {
  /// Reads at least one byte, waiting for it; -1 when the other side has ended its stream.
  int read(ByteBuffer target) throws IOException;

  /// Writes everything that remains in `parts`, in order, in as few operations as the medium
  /// allows.
  void write(ByteBuffer[] parts) throws IOException;

  /// Ends the stream towards the other side, which still may send.
  void endOutput() throws IOException;

  /// Whether `close` was not called yet.
  boolean isOpen();

  /// Who is at the other end, for logs.
  String remote();

  @Override
  void close();
}
