package dev.floe.store.local;

import com.google.protobuf.ByteString;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.Transport;
import dev.floe.meta.model.SegmentId;
import dev.floe.store.wire.DataCodec;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// Asks a store itself which segments it serves. Masters remember the stores of an earlier run until
/// their leases end, but segment numbers are never used again: a store has joined when it serves the
/// very numbers that the masters have.
final class StoreProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Transport transport;
  private final Transport.Identity self;
  private final Ticker ticker;

  StoreProbe(Transport transport, Transport.Identity self, Ticker ticker) {
    this.transport = transport;
    this.self = self;
    this.ticker = ticker;
  }

  /// Whether the store at `endpoint` serves all of `known`, at least one.
  boolean serves(Endpoint endpoint, Set<SegmentId> known) {
    if (known.isEmpty()) {
      return false;
    }
    Deadline deadline = Deadline.after(ticker, PATIENCE);
    try (Connection connection = transport.connect(endpoint, self, deadline)) {
      Connection.Reply reply =
          connection.call(Connection.Call.of(FrameType.DATA_STATUS, ByteString.EMPTY, deadline));
      Set<SegmentId> served = new HashSet<>();
      DataCodec.decodeStatus(reply.header()).forEach(status -> served.add(status.segment()));
      return served.containsAll(known);
    } catch (FloeException e) {
      // Not yet.
      return false;
    }
  }
}
