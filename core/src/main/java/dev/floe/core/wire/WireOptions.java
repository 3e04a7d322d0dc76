package dev.floe.core.wire;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Ticker;
import java.time.Duration;

/// What a transport may use and how long it waits.
///
/// @param ticker the clock of deadlines that come over the wire
public record WireOptions(Ticker ticker, Bounds bounds, Timeouts timeouts) {
  /// The values of production, all from `Limits`.
  public static WireOptions standard(Ticker ticker) {
    return new WireOptions(ticker, Bounds.STANDARD, Timeouts.STANDARD);
  }

  /// The same with other bounds.
  public WireOptions with(Bounds other) {
    return new WireOptions(ticker, other, timeouts);
  }

  /// The same with other timeouts.
  public WireOptions with(Timeouts other) {
    return new WireOptions(ticker, bounds, other);
  }

  /// Counts and bytes.
  ///
  /// @param platformReadersMax connections whose reader is a platform thread; later ones get a
  ///     virtual thread
  /// @param connectionsMax connections that a server accepts
  /// @param connectionRequestsMax requests of one connection that a server handles at a time
  /// @param connectionCallsMax unanswered calls of one client connection
  /// @param inFlightBytesMax bytes of requests that a server holds
  public record Bounds(
      int platformReadersMax,
      int connectionsMax,
      int connectionRequestsMax,
      int connectionCallsMax,
      long inFlightBytesMax) {
    /// The bounds of production.
    public static final Bounds STANDARD =
        new Bounds(
            Limits.PLATFORM_READERS_MAX,
            Limits.CONNECTIONS_MAX,
            Limits.CONNECTION_REQUESTS_MAX,
            Limits.CONNECTION_CALLS_MAX,
            Limits.SERVER_IN_FLIGHT_BYTES_MAX);

    public Bounds {
      check("platformReadersMax", platformReadersMax, 0, Limits.PLATFORM_READERS_MAX);
      check("connectionsMax", connectionsMax, 1, Limits.CONNECTIONS_MAX);
      check("connectionRequestsMax", connectionRequestsMax, 1, Limits.CONNECTION_REQUESTS_MAX);
      check("connectionCallsMax", connectionCallsMax, 1, Limits.CONNECTION_CALLS_MAX);
      check("inFlightBytesMax", inFlightBytesMax, 1, Limits.SERVER_IN_FLIGHT_BYTES_MAX);
    }
  }

  /// Times.
  ///
  /// @param handshake until a peer's `HELLO` must be complete
  /// @param frame until a server must have received a frame that was begun, or written a reply
  /// @param drain how long a closing server waits for handlers
  public record Timeouts(Duration handshake, Duration frame, Duration drain) {
    /// The times of production.
    public static final Timeouts STANDARD =
        new Timeouts(
            Duration.ofMillis(Limits.HANDSHAKE_MILLIS_MAX),
            Duration.ofMillis(Limits.FRAME_MILLIS_MAX),
            Duration.ofMillis(Limits.DRAIN_MILLIS_MAX));

    public Timeouts {
      check("handshake millis", handshake.toMillis(), 1, Limits.HANDSHAKE_MILLIS_MAX);
      check("frame millis", frame.toMillis(), 1, Limits.FRAME_MILLIS_MAX);
      check("drain millis", drain.toMillis(), 0, Limits.DRAIN_MILLIS_MAX);
    }
  }

  private static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG, name + " is " + value + " but must be in " + min + ".." + max);
    }
  }
}
