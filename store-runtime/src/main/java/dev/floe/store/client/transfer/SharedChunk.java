package dev.floe.store.client.transfer;

import dev.floe.core.buffer.BufferLease;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One chunk of a value on its way to several replicas: read and checksummed once, let go when the
/// last of them has it or was given up.
final class SharedChunk {
  /// Where the chunk starts within the value.
  final long from;

  final int length;
  final int checksum;

  private final ByteBuffer bytes;
  private final @Nullable BufferLease lease;
  private final InFlightBytes inFlight;
  private final AtomicInteger holders;

  SharedChunk(long from, Bytes content, InFlightBytes inFlight, int holders) {
    this.from = from;
    this.bytes = content.buffer;
    this.length = content.buffer.remaining();
    this.checksum = content.checksum;
    this.lease = content.lease;
    this.inFlight = inFlight;
    this.holders = new AtomicInteger(holders);
  }

  /// The bytes of a chunk and what has to be given back with them.
  record Bytes(ByteBuffer buffer, int checksum, @Nullable BufferLease lease) {}

  /// A view of its own for one request.
  ByteBuffer bytes() {
    return bytes.duplicate();
  }

  /// One holder less.
  void release() {
    if (holders.decrementAndGet() == 0) {
      if (lease != null) {
        lease.close();
      }
      inFlight.release(length);
    }
  }
}
