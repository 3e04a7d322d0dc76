package dev.floe.store.client;

import java.util.concurrent.atomic.LongAdder;

/// What a client has done and met, since it was made; safe for many threads.
public final class ClientStats {
  final LongAdder puts = new LongAdder();
  final LongAdder putBytes = new LongAdder();
  final LongAdder gets = new LongAdder();
  final LongAdder getBytes = new LongAdder();
  final LongAdder staleTokens = new LongAdder();
  final LongAdder checksumMismatches = new LongAdder();
  final LongAdder failovers = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder refreshes = new LongAdder();
  final LongAdder lostReplicas = new LongAdder();

  ClientStats() {}

  /// The counters as they are now; not all of one instant.
  public Snapshot snapshot() {
    return new Snapshot(
        new Work(puts.sum(), putBytes.sum(), gets.sum(), getBytes.sum()),
        new Trouble(
            staleTokens.sum(),
            checksumMismatches.sum(),
            failovers.sum(),
            retries.sum(),
            refreshes.sum(),
            lostReplicas.sum()));
  }

  /// All counters.
  public record Snapshot(Work work, Trouble trouble) {}

  /// What was done.
  ///
  /// @param puts values stored
  /// @param putBytes their sizes; a value counts once however many replicas it has
  /// @param gets values and ranges read
  /// @param getBytes bytes received with success
  public record Work(long puts, long putBytes, long gets, long getBytes) {}

  /// What was met on the way.
  ///
  /// @param staleTokens reads and writes refused because the bytes belong to another write now
  /// @param checksumMismatches chunks and values whose bytes did not match their checksum
  /// @param failovers replicas that a read gave up
  /// @param retries chunks that were sent again
  /// @param refreshes objects that were looked up again in the middle of a read
  /// @param lostReplicas replicas that were given up while being written
  public record Trouble(
      long staleTokens,
      long checksumMismatches,
      long failovers,
      long retries,
      long refreshes,
      long lostReplicas) {}
}
