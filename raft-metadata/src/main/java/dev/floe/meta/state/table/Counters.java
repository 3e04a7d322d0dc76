package dev.floe.meta.state.table;

/// The next numbers to give out; none is ever given twice. Hard state.
///
/// They end at 2^63 - 1: at a million a second, which is more than a cluster applies, after 292,000
/// years. No command asks for the end. A counter that came there all the same would stop its master
/// rather than begin again at a number below those that stores hold as write tokens.
public record Counters(long nextReplicaId, long nextSegmentId, long nextEpoch) {
  /// The counters of an empty state.
  public static final Counters INITIAL = new Counters(1, 1, 1);
}
