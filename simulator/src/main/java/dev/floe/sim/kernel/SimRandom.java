package dev.floe.sim.kernel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// All randomness of a run: named streams, each a pure function of (seed, name, counter).
///
/// The mixing function is the finalizer of SplitMix64 (Steele, Lea, Flood 2014) applied twice.
/// Confined to the thread of the run.
public final class SimRandom {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final long seed;
  private final Map<String, Long> hashes = new HashMap<>();

  public SimRandom(long seed) {
    this.seed = seed;
  }

  /// 64 random bits of the stream `name` at place `counter`.
  public long bits(String name, long counter) {
    long stream = hashes.computeIfAbsent(name, n -> mix(seed * GOLDEN ^ hash(n)));
    return mix(stream + counter * GOLDEN);
  }

  /// Whether a thing of the given probability happens at this place of the stream.
  public boolean chance(String name, long counter, double probability) {
    return (bits(name, counter) >>> 11) * 0x1.0p-53 < probability;
  }

  /// A value from `low` to `high`, both included.
  public long between(String name, long counter, long low, long high) {
    return low + Long.remainderUnsigned(bits(name, counter), high - low + 1);
  }

  /// A generator that walks along the stream `name` from `counter` 0.
  public Stream stream(String name) {
    return new Stream(name);
  }

  /// A 64-bit hash of a text that is the same on every JVM (FNV-1a, mixed).
  public static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  /// Mixes 64 bits so that every input bit touches every output bit.
  public static long mix(long value) {
    long x = value;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /// One named stream with its own place.
  public final class Stream implements RandomGenerator {
    private final String name;
    private long counter;

    private Stream(String name) {
      this.name = name;
    }

    @Override
    public long nextLong() {
      return bits(name, counter++);
    }

    /// Whether a thing of the given probability happens now.
    public boolean chance(double probability) {
      return SimRandom.this.chance(name, counter++, probability);
    }

    /// A value from `low` to `high`, both included.
    public long between(long low, long high) {
      return SimRandom.this.between(name, counter++, low, high);
    }

    /// A value from `low` to `high` whose logarithm is uniform; `low` at least 1.
    public long logBetween(long low, long high) {
      double lowest = Math.log((double) low);
      double exponent = lowest + nextDouble() * (Math.log((double) high) - lowest);
      return Math.clamp(Math.round(Math.exp(exponent)), low, high);
    }

    /// One of the elements.
    public <T> T pick(List<T> elements) {
      return elements.get((int) between(0, elements.size() - 1));
    }
  }
}
