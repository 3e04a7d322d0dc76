package dev.floe.store.client.transfer;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.store.wire.DataCodec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes the chunks of one value to one replica, several requests at a time; confined to a thread.
///
/// A chunk whose request may not have arrived is sent again: the store knows by the token and the
/// checksum that it has it already. Bytes that an earlier request still uses, be it of another object
/// or of a connection that broke, are asked for again for the time of a chunk: by then the store has
/// ended a request like this writer's own. After a failure that no repetition mends, the replica is
/// given up and further chunks are let go.
final class ReplicaWriter {
  private final TransferContext context;
  private final ReplicaTarget replica;
  private final long objectBytes;
  private final Deadline deadline;
  private final Deque<Sent> window = new ArrayDeque<>();
  private @Nullable FloeException failure;

  ReplicaWriter(
      TransferContext context, ReplicaTarget replica, long objectBytes, Deadline deadline) {
    this.context = context;
    this.replica = replica;
    this.objectBytes = objectBytes;
    this.deadline = deadline;
  }

  ReplicaTarget replica() {
    return replica;
  }

  /// Why the replica was given up, or null.
  @Nullable FloeException failure() {
    return failure;
  }

  boolean hasUnanswered() {
    return !window.isEmpty();
  }

  /// Sends a chunk, and lets it go when the replica has it or is given up.
  void write(SharedChunk chunk) {
    if (failure != null) {
      chunk.release();
      return;
    }
    while (window.size() >= context.transfer().chunksInFlight()) {
      awaitOldest();
    }
    Sent sent = new Sent(chunk);
    window.addLast(sent);
    try {
      sent.reply = send(chunk);
    } catch (FloeException e) {
      sent.error = e;
    }
  }

  /// Waits for the answer to the oldest request.
  void awaitOldest() {
    Sent sent = window.removeFirst();
    try {
      settle(sent);
    } catch (FloeException e) {
      giveUp(e);
    } finally {
      sent.chunk.release();
    }
  }

  /// Waits for all answers.
  void finish() {
    while (!window.isEmpty()) {
      awaitOldest();
    }
  }

  private void settle(Sent sent) {
    Deadline free = null;
    for (int attempt = 1; ; attempt++) {
      FloeException error = outcome(sent);
      if (error == null && attempt == 1 && Probe.buggify("put.sends-a-chunk-again")) {
        error = new FloeException(ErrorCode.CONNECTION_LOST, "the answer is taken for lost");
      }
      if (error == null) {
        return;
      }
      context.count(error);
      boolean isAgain =
          failure == null
              && switch (error.code()) {
                case WRITE_IN_PROGRESS -> true;
                // A segment is known to the masters a moment before its runtime hears of it.
                case CONNECTION_LOST, OVERLOADED, CHECKSUM_MISMATCH, SEGMENT_NOT_FOUND ->
                    attempt < Limits.CHUNK_ATTEMPTS_MAX;
                default -> false;
              };
      if (!isAgain) {
        throw error;
      }
      if (error.code() == ErrorCode.WRITE_IN_PROGRESS) {
        free = free == null ? context.chunkDeadline(deadline) : free;
        context.pause(attempt, free, stillUsed(error));
      } else {
        context.pause(attempt, deadline, error);
      }
      context.counters().retries.increment();
      sent.error = null;
      try {
        sent.reply = send(sent.chunk);
      } catch (FloeException e) {
        sent.error = e;
      }
    }
  }

  /// Not the code of a key that another writes: another store can take the value.
  private FloeException stillUsed(FloeException error) {
    return new FloeException(
        ErrorCode.UNAVAILABLE,
        "after "
            + context.options().times().chunk().toMillis()
            + " ms, the time of a chunk, or at the deadline: "
            + error.getMessage(),
        error);
  }

  private static @Nullable FloeException outcome(Sent sent) {
    FloeException error = sent.error;
    Connection.PendingReply reply = sent.reply;
    if (error == null && reply != null) {
      try {
        DataCodec.decodeWritten(reply.await().header());
      } catch (FloeException e) {
        error = e;
      }
    }
    boolean hasIt = error != null && error.code() == ErrorCode.ALREADY_EXISTS;
    return hasIt ? null : error;
  }

  private Connection.PendingReply send(SharedChunk chunk) {
    ByteString header =
        DataCodec.encode(
            new DataCodec.ChunkWrite(
                context.segmentOf(replica),
                context.rangeOf(replica, objectBytes),
                context.transfer().chunkBytes(),
                chunk.from,
                chunk.checksum));
    return context
        .peers()
        .send(
            replica.endpoint(),
            new Connection.Call(
                FrameType.DATA_WRITE,
                header,
                chunk.length == 0 ? List.of() : List.of(chunk.bytes()),
                Connection.ReplyTarget.NONE,
                context.chunkDeadline(deadline)));
  }

  private void giveUp(FloeException error) {
    if (failure == null) {
      context.counters().lostReplicas.increment();
      failure =
          new FloeException(
              error.code(),
              "replica "
                  + replica.replica().id()
                  + " at "
                  + replica.endpoint()
                  + " could not be written: "
                  + error.getMessage(),
              error);
    }
  }

  /// A request under way.
  private static final class Sent {
    final SharedChunk chunk;
    Connection.@Nullable PendingReply reply;
    @Nullable FloeException error;

    Sent(SharedChunk chunk) {
      this.chunk = chunk;
    }
  }
}
