package dev.floe.store.client.transfer;

import dev.floe.core.buffer.BufferPool;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SegmentId;
import dev.floe.store.segment.TokenRange;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What all transfers of one client share.
///
/// @param executor runs what of a transfer happens beside its caller, each on a virtual thread
/// @param random chooses the replica that a read begins with; used under this record's lock
public record TransferContext(
    MetadataApi metadata,
    DataPeers peers,
    BufferPool buffers,
    ExecutorService executor,
    Shared shared,
    ClientOptions options) {
  private static final Logger LOG = LoggerFactory.getLogger("floe.client");

  /// Smaller things that are shared.
  public record Shared(
      Ticker ticker, RandomGenerator random, InFlightBytes inFlight, TransferCounters counters) {}

  ClientOptions.Transfer transfer() {
    return options.transfer();
  }

  /// Bytes of requests that are under way now.
  public long inFlightBytes() {
    return shared.inFlight().bytes();
  }

  InFlightBytes inFlight() {
    return shared.inFlight();
  }

  /// What its transfers count.
  public TransferCounters counters() {
    return shared.counters();
  }

  /// Where time comes from.
  public Ticker ticker() {
    return shared.ticker();
  }

  /// A number from 0 to `bound` - 1.
  public int random(int bound) {
    synchronized (shared) {
      return shared.random().nextInt(bound);
    }
  }

  /// When a call that moves `bytes` has to end.
  public Deadline deadline(Optional<Duration> timeout, long bytes) {
    ClientOptions.Times times = options.times();
    Duration all =
        timeout.orElseGet(
            () ->
                times
                    .operation()
                    .plusMillis(
                        Math.max(0, bytes) / Math.max(1, times.bytesPerSecondMin() / 1000)));
    return Deadline.after(ticker(), all);
  }

  /// When one request of a call has to end, so that another replica has its turn.
  Deadline chunkDeadline(Deadline call) {
    return call.atMost(options.times().chunk());
  }

  /// A short time of its own, for what has to be done after a call's deadline.
  public Deadline probeDeadline() {
    return Deadline.after(ticker(), options.times().probe());
  }

  SegmentId segmentOf(ReplicaTarget target) {
    return switch (target.replica().location()) {
      case MemoryRange range -> range.segment();
    };
  }

  /// The runtime that holds a replica.
  public static RuntimeId runtimeOf(ReplicaTarget target) {
    return switch (target.replica().location()) {
      case MemoryRange range -> range.runtime();
    };
  }

  TokenRange rangeOf(ReplicaTarget target, long objectBytes) {
    return switch (target.replica().location()) {
      case MemoryRange range ->
          new TokenRange(
              range.offsetBytes(), range.lengthBytes(), target.replica().id(), objectBytes);
    };
  }

  /// Counts what an error tells of the cluster.
  public void count(FloeException error) {
    switch (error.code()) {
      case STALE_TOKEN, SEGMENT_NOT_FOUND -> counters().staleTokens.increment();
      case CHECKSUM_MISMATCH -> counters().checksumMismatches.increment();
      default -> {}
    }
  }

  /// An error that changes nothing for the caller.
  public void ignored(FloeException error) {
    LOG.debug("passed over: {}", error.toString());
  }

  /// Waits a little longer with every attempt, but not beyond the deadline.
  ///
  /// @throws FloeException `last` when no time is left
  public void pause(int attempt, Deadline deadline, FloeException last) {
    long millis = Math.min(100, 1L << Math.min(attempt, 7));
    if (deadline.remainingMillis() <= millis) {
      throw last;
    }
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(ErrorCode.CANCELLED, "interrupted between two attempts", e);
    }
  }
}
