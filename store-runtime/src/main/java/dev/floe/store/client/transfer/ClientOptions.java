package dev.floe.store.client.transfer;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.meta.model.TenantId;
import java.time.Duration;

/// How a client works.
///
/// @param tenant whose objects it sees
public record ClientOptions(TenantId tenant, Transfer transfer, Times times) {
  /// The values for production, for the default tenant.
  public static final ClientOptions DEFAULT =
      new ClientOptions(TenantId.DEFAULT, Transfer.DEFAULT, Times.DEFAULT);

  /// The same for another tenant.
  public ClientOptions with(TenantId other) {
    return new ClientOptions(other, transfer, times);
  }

  /// The same with other sizes.
  public ClientOptions with(Transfer other) {
    return new ClientOptions(tenant, other, times);
  }

  /// The same with other times.
  public ClientOptions with(Times other) {
    return new ClientOptions(tenant, transfer, other);
  }

  /// How bytes are moved.
  ///
  /// @param chunkBytes of one request, `Limits.CHUNK_BYTES_MIN` to `Limits.FRAME_BODY_BYTES_MAX`
  /// @param chunksInFlight requests under way for one value and replica
  /// @param inFlightBytesMax bytes of all requests of the client under way; at least one chunk
  public record Transfer(int chunkBytes, int chunksInFlight, long inFlightBytesMax) {
    /// All from `Limits`.
    public static final Transfer DEFAULT =
        new Transfer(
            Limits.CHUNK_BYTES,
            Limits.VALUE_CHUNKS_IN_FLIGHT_MAX,
            Limits.CLIENT_IN_FLIGHT_BYTES_MAX);

    public Transfer {
      check("chunkBytes", chunkBytes, Limits.CHUNK_BYTES_MIN, Limits.FRAME_BODY_BYTES_MAX);
      check("chunksInFlight", chunksInFlight, 1, Limits.VALUE_CHUNKS_IN_FLIGHT_MAX);
      check("inFlightBytesMax", inFlightBytesMax, chunkBytes, Limits.CLIENT_IN_FLIGHT_BYTES_MAX);
    }

    private static void check(String name, long value, long min, long max) {
      if (value < min || value > max) {
        throw new FloeException(
            ErrorCode.INVALID_ARGUMENT,
            name + " is " + value + "; allowed are " + min + " to " + max);
      }
    }
  }

  /// How long things may take.
  ///
  /// @param operation a call whose options name no timeout; a second for every `bytesPerSecondMin`
  ///     of its values is added
  /// @param chunk one request to a store runtime; after it the next replica has its turn
  /// @param probe finding out, after the deadline, what became of a write
  public record Times(Duration operation, Duration chunk, Duration probe, long bytesPerSecondMin) {
    /// 30 s and a second for every 16 MiB; 10 s a chunk; 2 s to find out.
    public static final Times DEFAULT =
        new Times(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(2), 16L << 20);

    public Times {
      if (operation.isNegative()
          || chunk.isNegative()
          || probe.isNegative()
          || bytesPerSecondMin <= 0) {
        throw new FloeException(
            ErrorCode.INVALID_ARGUMENT, "times must not be negative and the rate above 0");
      }
    }
  }
}
