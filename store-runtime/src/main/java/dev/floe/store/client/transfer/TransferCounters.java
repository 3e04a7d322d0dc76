package dev.floe.store.client.transfer;

import java.util.concurrent.atomic.LongAdder;

/// What the transfers of one client count as they go; `ClientStats` says what each counter means.
/// Safe for many threads.
public final class TransferCounters {
  /// Values stored.
  public final LongAdder puts = new LongAdder();

  /// Their sizes.
  public final LongAdder putBytes = new LongAdder();

  /// Values and ranges read.
  public final LongAdder gets = new LongAdder();

  /// Bytes received with success.
  public final LongAdder getBytes = new LongAdder();

  /// Reads and writes refused because the bytes belong to another write now.
  public final LongAdder staleTokens = new LongAdder();

  /// Chunks and values whose bytes did not match their checksum.
  public final LongAdder checksumMismatches = new LongAdder();

  /// Replicas that a read gave up.
  public final LongAdder failovers = new LongAdder();

  /// Chunks and puts that were tried again.
  public final LongAdder retries = new LongAdder();

  /// Objects that were looked up again in the middle of a read.
  public final LongAdder refreshes = new LongAdder();

  /// Replicas that were given up while being written.
  public final LongAdder lostReplicas = new LongAdder();
}
