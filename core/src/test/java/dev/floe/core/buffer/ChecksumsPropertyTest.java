package dev.floe.core.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

final class ChecksumsPropertyTest {
  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  @Example
  void givesTheCheckValueOfTheStandard() {
    ByteBuffer digits = ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII));
    assertThat(Checksums.crc32c(digits)).isEqualTo(0xE306_9283);
    assertThat(digits.remaining()).isEqualTo(9);
    assertThat(Checksums.crc32c(ByteBuffer.allocate(0))).isEqualTo(Checksums.EMPTY);
  }

  @Property
  void isTheSameWhereverTheBytesAre(@ForAll byte[] bytes) {
    int expected = Checksums.crc32c(ByteBuffer.wrap(bytes));
    assertThat(Checksums.crc32c(direct(bytes))).isEqualTo(expected);
    assertThat(Checksums.crc32c(MemorySegment.ofArray(bytes))).isEqualTo(expected);
    assertThat(Checksums.crc32c(MemorySegment.ofBuffer(direct(bytes)))).isEqualTo(expected);
  }

  @Property
  void combinesPartsToTheChecksumOfTheWhole(
      @ForAll @Size(max = 5000) byte[] bytes, @ForAll @LongRange(min = 0, max = 5000) long cut) {
    int at = (int) Math.min(cut, bytes.length);
    ByteBuffer whole = direct(bytes);
    int first = Checksums.crc32c(whole, 0, at);
    int second = Checksums.crc32c(MemorySegment.ofBuffer(whole), at, (long) bytes.length - at);
    assertThat(Checksums.combine(first, second, (long) bytes.length - at))
        .isEqualTo(Checksums.crc32c(whole));
  }

  @Property
  void combinesInAnyGrouping(
      @ForAll int a,
      @ForAll int b,
      @ForAll int c,
      @ForAll @LongRange(min = 0, max = 1L << 44) long bytesOfB,
      @ForAll @LongRange(min = 0, max = 1L << 44) long bytesOfC) {
    int leftFirst = Checksums.combine(Checksums.combine(a, b, bytesOfB), c, bytesOfC);
    int rightFirst = Checksums.combine(a, Checksums.combine(b, c, bytesOfC), bytesOfB + bytesOfC);
    assertThat(leftFirst).isEqualTo(rightFirst);
  }

  @Example
  void combinesManyChunksOfDifferentLengths() {
    byte[] bytes = new byte[3_000_000];
    new java.util.Random(1).nextBytes(bytes);
    ByteBuffer whole = direct(bytes);
    int crc = Checksums.EMPTY;
    int from = 0;
    for (int length = 1; from < bytes.length; length = length * 3 + 1) {
      int step = Math.min(length, bytes.length - from);
      crc = Checksums.combine(crc, Checksums.crc32c(whole, from, step), step);
      from += step;
    }
    assertThat(crc).isEqualTo(Checksums.crc32c(whole));
  }
}
