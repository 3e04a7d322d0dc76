package dev.floe.store.client;

import java.time.Duration;
import java.util.Optional;

/// How a value is read.
///
/// @param isStrict whether the look-up waits for a log entry of its own, so that it sees every write
///     that was acknowledged before, whatever the clocks of the masters do
/// @param timeout for the whole call; empty for the client's own
public record GetOptions(boolean isStrict, Optional<Duration> timeout) {
  /// Not strict, with the client's own timeout.
  public static final GetOptions DEFAULT = new GetOptions(false, Optional.empty());

  /// The same with a timeout.
  public GetOptions withTimeout(Duration other) {
    return new GetOptions(isStrict, Optional.of(other));
  }
}
