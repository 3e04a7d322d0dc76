package dev.floe.meta.state.table;

/// The next numbers to give out; none is ever given twice. Hard state.
public record Counters(long nextReplicaId, long nextSegmentId, long nextEpoch) {
  /// The counters of an empty state.
  public static final Counters INITIAL = new Counters(1, 1, 1);
}
