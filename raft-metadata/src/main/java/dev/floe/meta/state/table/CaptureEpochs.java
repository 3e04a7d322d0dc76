package dev.floe.meta.state.table;

import java.util.concurrent.atomic.AtomicInteger;

/// Tells which small structures (sessions, allocators, quarantine) an unfinished capture may still
/// be reading. Soft state.
///
/// Each structure notes the epoch in which it was made or copied. A capture begins a new epoch;
/// while it is open, the first write to a structure of an earlier epoch copies it. Epochs belong to
/// the applying thread; a capture may be closed by any thread.
public final class CaptureEpochs {
  private long current;
  private final AtomicInteger open = new AtomicInteger();

  /// The epoch for what is made now.
  long current() {
    return current;
  }

  /// Whether a write to a structure of that epoch must copy it first.
  boolean isShared(long epoch) {
    return epoch < current && open.get() > 0;
  }

  /// Begins a capture.
  public void begin() {
    current++;
    open.incrementAndGet();
  }

  /// Ends a capture.
  public void end() {
    open.decrementAndGet();
  }
}
