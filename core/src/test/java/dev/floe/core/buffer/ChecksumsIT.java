package dev.floe.core.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// Needs more than 2 GiB of memory: not for the fast tests.
final class ChecksumsIT {
  @Test
  void checksumsSegmentsThatNoBufferCanHold() {
    long bytes = (1L << 31) + 12_345;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(bytes);
      segment.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 7);
      segment.set(ValueLayout.JAVA_BYTE, 1L << 30, (byte) 9);
      long cut = 1_500_000_000L;
      int first = Checksums.crc32c(segment, 0, cut);
      int second = Checksums.crc32c(segment, cut, bytes - cut);
      assertThat(Checksums.crc32c(segment))
          .isEqualTo(Checksums.combine(first, second, bytes - cut))
          .isNotEqualTo(Checksums.crc32c(segment, 0, bytes - 1));
    }
  }
}
