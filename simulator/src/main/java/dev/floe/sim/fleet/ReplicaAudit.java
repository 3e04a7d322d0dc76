package dev.floe.sim.fleet;

import dev.floe.core.error.FloeException;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Violation;
import dev.floe.store.segment.TokenRange;
import dev.floe.store.wire.DataCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/// Reads every replica that is recorded as complete from its own store: a client would go to
/// another one and never tell.
final class ReplicaAudit {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final FleetWorld world;
  private final PeerPool peers;

  ReplicaAudit(FleetWorld world, PeerPool peers) {
    this.world = world;
    this.peers = peers;
  }

  /// Reads all replicas of an object.
  ///
  /// @throws Violation when one is not there, or has other bytes than the object
  void check(ObjectRoute route) {
    for (Replica replica : route.replicas()) {
      if (replica.status() == ReplicaStatus.COMPLETE) {
        check(route, replica);
      }
    }
  }

  private void check(ObjectRoute route, Replica replica) {
    ReplicaLocation.MemoryRange range =
        switch (replica.location()) {
          case ReplicaLocation.MemoryRange memory -> memory;
        };
    byte[] all = new byte[Math.toIntExact(route.content().sizeBytes())];
    try {
      for (int from = 0; from < all.length; from += ClientProcess.CHUNK_BYTES) {
        read(range, replica.id(), all, from);
      }
    } catch (FloeException e) {
      throw new Violation(
          Invariant.ACKED_OBJECT_LOST,
          "replica "
              + replica
              + " of "
              + route.id()
              + " is recorded as complete, but "
              + range.runtime()
              + " says "
              + e.getMessage());
    }
    Violation.unless(
        world.puts().find(route.id(), all.length, 0, all) != null,
        Invariant.WRONG_BYTES,
        () -> "replica " + replica + " holds bytes of no put of " + route.id());
  }

  private void read(ReplicaLocation.MemoryRange range, long token, byte[] all, int from) {
    int length = Math.min(ClientProcess.CHUNK_BYTES, all.length - from);
    TokenRange bytes = new TokenRange(range.offsetBytes(), range.lengthBytes(), token, all.length);
    ByteBuffer into = ByteBuffer.wrap(all, from, length);
    Connection.Reply reply =
        peers
            .send(
                new Endpoint(range.runtime().value(), StoreProcess.PORT),
                new Connection.Call(
                    FrameType.DATA_READ,
                    DataCodec.encode(new DataCodec.BytesRead(range.segment(), bytes, from, length)),
                    List.of(),
                    (head, count) -> into,
                    Deadline.after(Ticker.system(), LIMIT)))
            .await();
    Violation.unless(
        reply.bodyBytes() == length,
        Invariant.WRONG_BYTES,
        () -> length + " bytes were asked of " + range + ", " + reply.bodyBytes() + " came");
  }
}
