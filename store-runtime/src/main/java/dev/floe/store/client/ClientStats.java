package dev.floe.store.client;

import dev.floe.store.client.transfer.TransferCounters;

/// What a client has done and met, since it was made; safe for many threads.
public final class ClientStats {
  private final TransferCounters counters;

  ClientStats(TransferCounters counters) {
    this.counters = counters;
  }

  /// The counters as they are now; not all of one instant.
  public Snapshot snapshot() {
    return new Snapshot(
        new Work(
            counters.puts.sum(),
            counters.putBytes.sum(),
            counters.gets.sum(),
            counters.getBytes.sum()),
        new Trouble(
            counters.staleTokens.sum(),
            counters.checksumMismatches.sum(),
            counters.failovers.sum(),
            counters.retries.sum(),
            counters.refreshes.sum(),
            counters.lostReplicas.sum()));
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
