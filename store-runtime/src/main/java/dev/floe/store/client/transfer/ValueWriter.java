package dev.floe.store.client.transfer;

import dev.floe.core.buffer.BufferLease;
import dev.floe.core.buffer.Checksums;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.RuntimeId;
import dev.floe.store.client.value.ValueSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Writes one value to all its replicas: reads and checksums each chunk once, and hands it to a
/// thread for each replica. A value of one chunk for one replica stays in the caller's thread.
public final class ValueWriter {
  private final TransferContext context;
  private final ValueSource source;
  private final Deadline deadline;
  private final List<Lane> lanes = new ArrayList<>();
  private final long size;
  private int checksum;

  /// A write of a value to all `targets`.
  public ValueWriter(
      TransferContext context,
      ValueSource source,
      List<ReplicaTarget> replicas,
      Deadline deadline) {
    this.context = context;
    this.source = source;
    this.deadline = deadline;
    this.size = source.sizeBytes();
    for (ReplicaTarget replica : replicas) {
      lanes.add(new Lane(new ReplicaWriter(context, replica, size, deadline)));
    }
  }

  /// What a write came to.
  ///
  /// @param tokens of the replicas that hold every byte, may be none
  /// @param checksum CRC32C of all bytes, unsigned; meaningless without tokens
  /// @param failures one for each replica that was given up
  /// @param lostOn the runtimes of those replicas
  public record Outcome(
      List<Long> tokens, long checksum, List<FloeException> failures, Set<RuntimeId> lostOn) {
    /// Nothing was written, for a reason that no runtime can mend.
    public static Outcome none(FloeException why) {
      return new Outcome(List.of(), 0, List.of(why), Set.of());
    }

    /// Whether no replica took the bytes, but others may: what failed were the runtimes, and the
    /// write itself is still the current one.
    public boolean isWorthAnotherTry() {
      return tokens.isEmpty()
          && !lostOn.isEmpty()
          && failures.stream().allMatch(Outcome::isOfTheRuntime);
    }

    private static boolean isOfTheRuntime(FloeException failure) {
      return switch (failure.code()) {
        case UNAVAILABLE,
            CONNECTION_LOST,
            CIRCUIT_OPEN,
            DEADLINE_EXCEEDED,
            OVERLOADED,
            NO_SPACE,
            SEGMENT_NOT_FOUND,
            CHECKSUM_MISMATCH,
            PROTOCOL_VIOLATION,
            VERSION_MISMATCH,
            WRONG_CLUSTER,
            UNSUPPORTED,
            IO_ERROR,
            INTERNAL ->
            true;
        default -> false;
      };
    }
  }

  /// Writes everything; when it returns or throws no request is under way.
  ///
  /// @throws FloeException when the source failed
  public Outcome write() {
    if (lanes.size() == 1 && size <= context.transfer().chunkBytes()) {
      ReplicaWriter writer = lanes.getFirst().writer;
      try {
        writer.write(load(0, (int) size));
      } finally {
        writer.finish();
      }
    } else {
      lanes.forEach(Lane::start);
      try {
        writeChunks();
      } finally {
        lanes.forEach(Lane::end);
      }
      lanes.forEach(Lane::checkDefect);
    }
    return outcome();
  }

  private void writeChunks() {
    long from = 0;
    do {
      int length = (int) Math.min(context.transfer().chunkBytes(), size - from);
      SharedChunk chunk = load(from, length);
      for (Lane lane : lanes) {
        lane.put(chunk);
      }
      from += length;
    } while (from < size && lanes.stream().anyMatch(lane -> !lane.isLost));
  }

  private SharedChunk load(long from, int length) {
    context.inFlight().acquire(length, deadline);
    boolean loaded = false;
    @Nullable BufferLease lease = null;
    try {
      ByteBuffer bytes = source.view(from, length);
      if (bytes == null) {
        lease = context.buffers().acquire(length, deadline);
        bytes = lease.buffer().duplicate();
        source.read(from, bytes.duplicate());
      }
      int sum = Checksums.crc32c(bytes.duplicate());
      checksum = Checksums.combine(checksum, sum, length);
      loaded = true;
      return new SharedChunk(
          from, new SharedChunk.Bytes(bytes, sum, lease), context.inFlight(), lanes.size());
    } finally {
      if (!loaded) {
        if (lease != null) {
          lease.close();
        }
        context.inFlight().release(length);
      }
    }
  }

  private Outcome outcome() {
    List<Long> tokens = new ArrayList<>();
    List<FloeException> failures = new ArrayList<>();
    Set<RuntimeId> lostOn = new HashSet<>();
    for (Lane lane : lanes) {
      FloeException failure = lane.writer.failure();
      if (failure == null) {
        tokens.add(lane.writer.replica().replica().id());
      } else {
        failures.add(failure);
        lostOn.add(TransferContext.runtimeOf(lane.writer.replica()));
      }
    }
    return new Outcome(tokens, Integer.toUnsignedLong(checksum), failures, lostOn);
  }

  /// The thread that feeds one replica, and its queue.
  private final class Lane {
    private final ReplicaWriter writer;
    private final BlockingQueue<Step> queue =
        new ArrayBlockingQueue<>(context.transfer().chunksInFlight());
    private @Nullable Future<?> thread;
    private volatile boolean isLost;
    private volatile @Nullable RuntimeException defect;

    Lane(ReplicaWriter writer) {
      this.writer = writer;
    }

    void start() {
      thread = context.executor().submit(this::run);
    }

    /// Hands a chunk over. The thread takes chunks to the end, also from a replica it has given up,
    /// and each of its own waits is bounded, so this waits no longer than those.
    void put(SharedChunk chunk) {
      offer(new Step(chunk));
    }

    /// Waits until the thread has done everything.
    void end() {
      offer(new Step(null));
      Future<?> running = thread;
      if (running != null) {
        Uninterrupted.run(running::get);
      }
    }

    /// Only after all lanes have ended: what throws before would leave the threads of others
    /// waiting.
    void checkDefect() {
      if (defect != null) {
        throw new FloeException(
            ErrorCode.INTERNAL, "writing a replica failed: this is a defect", defect);
      }
    }

    private void offer(Step step) {
      Uninterrupted.run(
          () -> {
            queue.put(step);
            return step;
          });
    }

    private void run() {
      boolean isOver = false;
      while (!isOver) {
        Step step = writer.hasUnanswered() ? queue.poll() : Uninterrupted.run(queue::take);
        try {
          isOver = step != null && step.chunk == null;
          take(step);
        } catch (RuntimeException e) {
          // Whatever it was, the queue has to be emptied or the put would wait for ever.
          defect = e;
        }
        isLost = defect != null || writer.failure() != null;
      }
    }

    private void take(@Nullable Step step) {
      SharedChunk chunk = step == null ? null : step.chunk;
      if (chunk != null) {
        writer.write(chunk);
      } else if (step == null) {
        writer.awaitOldest();
      } else {
        writer.finish();
      }
    }
  }

  /// @param chunk null at the end
  private record Step(@Nullable SharedChunk chunk) {}
}
