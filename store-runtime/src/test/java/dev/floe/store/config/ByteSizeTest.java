package dev.floe.store.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ByteSizeTest {
  @Test
  void readsBinaryAndDecimalUnitsInAnyCase() {
    assertThat(ByteSize.parse("4GiB")).isEqualTo(4L << 30);
    assertThat(ByteSize.parse("512mib")).isEqualTo(512L << 20);
    assertThat(ByteSize.parse("3 kB")).isEqualTo(3000);
    assertThat(ByteSize.parse("17")).isEqualTo(17);
    assertThat(ByteSize.parse("0")).isZero();
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> ByteSize.parse("4 gigs")).hasMessageContaining("unknown unit 'gigs'");
    assertThatThrownBy(() -> ByteSize.parse("4G")).hasMessageContaining("unknown unit 'G'");
    assertThatThrownBy(() -> ByteSize.parse("-1")).hasMessageContaining("is not a size");
    assertThatThrownBy(() -> ByteSize.parse("")).hasMessageContaining("is not a size");
    assertThatThrownBy(() -> ByteSize.parse("9223372036854775807KiB"))
        .hasMessageContaining("larger than any size");
    assertThatThrownBy(() -> ByteSize.parse("9999999999999999999"))
        .hasMessageContaining("larger than any size");
  }

  @Property
  void exactTextReadsBackAsTheSameNumber(@ForAll @LongRange(min = 0) long bytes) {
    assertThat(ByteSize.parse(ByteSize.exact(bytes))).isEqualTo(bytes);
  }

  @Test
  void exactTextUsesTheLargestUnitThatFits() {
    assertThat(ByteSize.exact(512L << 20)).isEqualTo("512MiB");
    assertThat(ByteSize.exact((512L << 20) + 1)).isEqualTo("536870913");
    assertThat(ByteSize.exact(0)).isEqualTo("0");
  }

  @Test
  void roundedTextHasFewDigits() {
    assertThat(ByteSize.rounded(0)).isEqualTo("0 B");
    assertThat(ByteSize.rounded(1023)).isEqualTo("1023 B");
    assertThat(ByteSize.rounded(1536)).isEqualTo("1.50 KiB");
    assertThat(ByteSize.rounded(20L << 30)).isEqualTo("20.0 GiB");
    assertThat(ByteSize.rounded(Long.MAX_VALUE)).isEqualTo("8192 PiB");
  }
}
