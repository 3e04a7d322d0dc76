package dev.floe.meta.place;

/// Size classes of the allocator: floating-point numbers with 4 bits of mantissa, counted in
/// granules of 64 bytes, so that rounding a request up wastes at most 1/17 of it.
///
/// | size in granules | classes | step |
/// |---|---|---|
/// | 0 to 15 | 0 to 15 | 1 |
/// | 2^e to 2^(e+1) - 1, e >= 4 | (e - 3) * 16 + 0..15 | 2^(e-4) |
///
/// After the bin scheme of Aaltonen's OffsetAllocator (2023), with one more bit of mantissa.
final class SizeClasses {
  /// Bytes of a granule, the unit of all offsets and lengths: a cache line.
  static final long GRANULE_BYTES = 64;

  private static final int MANTISSA_BITS = 4;
  private static final int STEPS = 1 << MANTISSA_BITS;

  private SizeClasses() {}

  /// The largest class whose size is at most `granules`.
  static int floor(long granules) {
    if (granules < STEPS) {
      return (int) granules;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(granules);
    int mantissa = (int) (granules >>> (exponent - MANTISSA_BITS)) & (STEPS - 1);
    return ((exponent - MANTISSA_BITS + 1) << MANTISSA_BITS) | mantissa;
  }

  /// The smallest class whose size is at least `granules`.
  static int ceiling(long granules) {
    int floor = floor(granules);
    return granules(floor) < granules ? floor + 1 : floor;
  }

  /// The size of a class.
  static long granules(int sizeClass) {
    if (sizeClass < STEPS) {
      return sizeClass;
    }
    int shift = (sizeClass >>> MANTISSA_BITS) - 1;
    return (STEPS | (long) (sizeClass & (STEPS - 1))) << shift;
  }
}
