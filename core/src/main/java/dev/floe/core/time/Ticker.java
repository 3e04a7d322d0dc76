package dev.floe.core.time;

/// A monotonic clock; only differences between its values mean anything.
@FunctionalInterface
public interface Ticker {
  /// Nanoseconds since an arbitrary origin that is fixed while the process lives.
  long nanos();

  /// The clock of this JVM.
  static Ticker system() {
    return System::nanoTime;
  }
}
