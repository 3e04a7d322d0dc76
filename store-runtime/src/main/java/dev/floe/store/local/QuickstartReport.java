package dev.floe.store.local;

import java.util.List;

/// What a demonstration found.
///
/// @param objects stored
/// @param bytes of all of them together
/// @param phases how they were moved
/// @param failover the change of leader
/// @param mismatches keys whose bytes differed from their file, or could not be read; empty when all
///     is well
public record QuickstartReport(
    int objects, long bytes, Phases phases, Failover failover, List<String> mismatches) {
  public QuickstartReport {
    mismatches = List.copyOf(mismatches);
  }

  /// Whether every byte came back, both times.
  public boolean isGood() {
    return mismatches.isEmpty();
  }

  /// The transfers of all objects.
  ///
  /// @param put to all replicas
  /// @param getBefore through the first leader
  /// @param getAfter through the new leader
  public record Phases(Phase put, Phase getBefore, Phase getAfter) {}

  /// How long the transfers of a phase took, comparing not counted.
  public record Phase(long bytes, long nanos) {
    /// Decimal gigabytes in a second; 0 when nothing was moved.
    public double gigabytesPerSecond() {
      return nanos == 0 ? 0 : (double) bytes / nanos;
    }
  }

  /// How long the cluster was without a leader for a client that knew the old one.
  ///
  /// @param killed node that led
  /// @param leader node that leads now
  /// @param readMillis from the kill to the end of the first read
  /// @param writeMillis from the kill to the end of the first write
  public record Failover(String killed, String leader, long readMillis, long writeMillis) {}
}
