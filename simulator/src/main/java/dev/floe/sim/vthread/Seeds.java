package dev.floe.sim.vthread;

import java.util.SplittableRandom;

/// Random streams by name, all from one seed: a new draw in one stream shifts no other. Pure.
public final class Seeds {
  private final long seed;

  public Seeds(long seed) {
    this.seed = seed;
  }

  /// The run's seed.
  public long seed() {
    return seed;
  }

  /// The stream of that name, at its beginning.
  public SplittableRandom stream(String name) {
    return new SplittableRandom(mix(seed, name.hashCode()));
  }

  /// Numbers that look random and depend on nothing but the arguments.
  public static long mix(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
