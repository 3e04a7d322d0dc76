package dev.floe.sim.boot;

/// What a simulation answers to the probes in production code (`dev.floe.core.probe.Probe`).
public interface SimProbes {
  /// Whether the site makes trouble now.
  boolean buggify(String site);

  /// Counts a situation.
  void sometimes(String situation);
}
