package dev.floe.store.client.transfer;

import com.google.protobuf.ByteString;
import dev.floe.core.buffer.BufferLease;
import dev.floe.core.buffer.Checksums;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.store.wire.DataCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads bytes from one replica: keeps several requests under way, and takes their answers in order.
///
/// The one place where bytes become believed: after their checksum matched.
public final class ReplicaReader {
  private final TransferContext context;
  private final ReplicaTarget replica;
  private final long objectBytes;
  private final Deadline deadline;
  private final Deque<Part> window = new ArrayDeque<>();

  /// A reader of one replica of an object of `objectBytes`.
  public ReplicaReader(
      TransferContext context, ReplicaTarget replica, long objectBytes, Deadline deadline) {
    this.context = context;
    this.replica = replica;
    this.objectBytes = objectBytes;
    this.deadline = deadline;
  }

  /// Reads from where `progress` stands to its end. When this returns or throws, no request is under
  /// way and nothing writes into the destination.
  ///
  /// @param beforeEach run before each request; what it throws ends the read
  /// @throws FloeException why it ended before; `progress` tells how far it came
  public void read(ReadProgress progress, Runnable beforeEach) {
    long next = progress.position();
    try {
      while (!progress.isDone()) {
        next = fillWindow(progress, next, beforeEach);
        Part part = window.removeFirst();
        try {
          receive(part, progress);
        } finally {
          part.release();
        }
      }
    } finally {
      drain();
    }
  }

  private long fillWindow(ReadProgress progress, long from, Runnable beforeEach) {
    long next = from;
    int chunk = context.transfer().chunkBytes();
    while (next < progress.end() && window.size() < context.transfer().chunksInFlight()) {
      int length = (int) Math.min(chunk - next % chunk, progress.end() - next);
      if (!context.inFlight().tryAcquire(length)) {
        if (!window.isEmpty()) {
          return next;
        }
        context.inFlight().acquire(length, deadline);
      }
      boolean sent = false;
      try {
        Place place = placeFor(progress, next, length);
        if (place == null) {
          return next;
        }
        window.addLast(request(place, next, length, beforeEach));
        sent = true;
      } finally {
        if (!sent) {
          context.inFlight().release(length);
        }
      }
      next += length;
    }
    return next;
  }

  private Part request(Place place, long from, int length, Runnable beforeEach) {
    boolean sent = false;
    try {
      beforeEach.run();
      ByteString header =
          DataCodec.encode(
              new DataCodec.BytesRead(
                  context.segmentOf(replica), context.rangeOf(replica, objectBytes), from, length));
      Connection.PendingReply reply =
          context
              .peers()
              .send(
                  replica.endpoint(),
                  new Connection.Call(
                      FrameType.DATA_READ,
                      header,
                      List.of(),
                      (ignored, came) -> place.checked(length, came),
                      context.chunkDeadline(deadline)));
      sent = true;
      return new Part(length, place, reply);
    } finally {
      if (!sent) {
        place.close();
      }
    }
  }

  /// The place for the next bytes, or null when there is none just now: who holds buffers must not
  /// wait for more, or many readers that each hold some would wait for each other.
  private @Nullable Place placeFor(ReadProgress progress, long from, int length) {
    ByteBuffer view = progress.view(from, length);
    if (view != null) {
      return new Place(view, null);
    }
    try {
      Deadline until = window.isEmpty() ? deadline : deadline.atMost(Duration.ZERO);
      BufferLease lease = context.buffers().acquire(length, until);
      return new Place(lease.buffer(), lease);
    } catch (FloeException e) {
      if (e.code() == ErrorCode.OVERLOADED && !window.isEmpty()) {
        return null;
      }
      throw e;
    }
  }

  /// Where the bytes of one request arrive.
  ///
  /// @param lease null when that is the destination itself
  private record Place(ByteBuffer buffer, @Nullable BufferLease lease) {
    ByteBuffer checked(int asked, int came) {
      if (came != asked) {
        throw new FloeException(
            ErrorCode.PROTOCOL_VIOLATION, asked + " bytes were asked but " + came + " came");
      }
      return buffer.duplicate();
    }

    boolean isDestination() {
      return lease == null;
    }

    void close() {
      if (lease != null) {
        lease.close();
      }
    }
  }

  private void receive(Part part, ReadProgress progress) {
    part.isAnswered = true;
    Connection.Reply reply = part.reply.await();
    ByteBuffer bytes = part.place.checked(part.length, reply.bodyBytes());
    int expected = DataCodec.decodeReadable(reply.header());
    int seen = Checksums.crc32c(bytes);
    if (seen != expected) {
      throw new FloeException(
          ErrorCode.CHECKSUM_MISMATCH,
          "bytes "
              + progress.position()
              + "+"
              + part.length
              + " came with CRC32C "
              + Integer.toHexString(seen)
              + " instead of "
              + Integer.toHexString(expected));
    }
    progress.accept(part.place.isDestination() ? null : bytes, part.length, seen);
  }

  /// Waits until the requests that are still under way have let go of their buffers.
  private void drain() {
    while (!window.isEmpty()) {
      window.removeFirst().release();
    }
  }

  /// One request under way.
  private final class Part {
    final int length;
    final Place place;
    final Connection.PendingReply reply;
    boolean isAnswered;

    Part(int length, Place place, Connection.PendingReply reply) {
      this.length = length;
      this.place = place;
      this.reply = reply;
    }

    void release() {
      try {
        if (!isAnswered) {
          isAnswered = true;
          reply.await();
        }
      } catch (FloeException e) {
        context.ignored(e);
      } finally {
        place.close();
        context.inFlight().release(length);
      }
    }
  }
}
