package dev.floe.meta.state;

/// The state as it was at one index, readable by another thread while apply goes on.
///
/// Close it as soon as it was written: until then the applying thread copies what it changes.
@SuppressWarnings("DoNotCallSuggester")
public final class StateCapture implements AutoCloseable {
  StateCapture() {}

  /// The index of the last entry in it.
  public long appliedIndex() {
    throw new UnsupportedOperationException();
  }

  /// The digest of the captured state.
  public long digest() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
