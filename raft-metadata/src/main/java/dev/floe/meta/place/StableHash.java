package dev.floe.meta.place;

/// 64-bit hashing that is the same on every JVM and in every release: for shards, placement and
/// state digests, none of which may depend on `hashCode`.
///
/// The mixer is the finalizer of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", 2014). Changing anything here changes shards and digests of running
/// clusters.
public final class StableHash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private StableHash() {}

  /// Spreads a value over all 64 bits; a bijection.
  public static long mix(long value) {
    long x = value;
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }

  /// The hash `hash` continued by a value; order matters.
  public static long add(long hash, long value) {
    return mix((Long.rotateLeft(hash, 29) ^ value) + GOLDEN);
  }

  /// The hash `hash` continued by a text, its length included.
  public static long add(long hash, String text) {
    long result = add(hash, text.length());
    int length = text.length();
    int i = 0;
    for (; i + 4 <= length; i += 4) {
      long four =
          text.charAt(i)
              | (long) text.charAt(i + 1) << 16
              | (long) text.charAt(i + 2) << 32
              | (long) text.charAt(i + 3) << 48;
      result = add(result, four);
    }
    for (; i < length; i++) {
      result = add(result, text.charAt(i));
    }
    return result;
  }
}
