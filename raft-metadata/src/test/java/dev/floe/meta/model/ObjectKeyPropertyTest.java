package dev.floe.meta.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.FloeException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class ObjectKeyPropertyTest {
  /// The JDK's strict decoder and encoder say what is valid.
  @Property
  void takesExactlyTheBytesThatAreValidUtf8(@ForAll @Size(min = 1, max = 12) byte[] bytes) {
    boolean isValid;
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      isValid = true;
    } catch (CharacterCodingException e) {
      isValid = false;
    }
    if (isValid) {
      assertThat(ObjectKey.ofUtf8(bytes).toUtf8()).isEqualTo(bytes);
    } else {
      assertThatThrownBy(() -> ObjectKey.ofUtf8(bytes))
          .isInstanceOf(FloeException.class)
          .hasMessageContaining("not valid UTF-8");
    }
  }

  @Property
  void takesExactlyTheTextsThatHaveAUtf8Form(@ForAll @StringLength(min = 1, max = 20) String text) {
    if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      assertThat(ObjectKey.ofUtf8(new ObjectKey(text).toUtf8()).value()).isEqualTo(text);
    } else {
      assertThatThrownBy(() -> new ObjectKey(text))
          .isInstanceOf(FloeException.class)
          .hasMessageContaining("surrogate");
    }
  }

  @Test
  void tellsTheReplacementCharacterFromAReplacedByte() {
    byte[] own = "a\uFFFDb".getBytes(StandardCharsets.UTF_8);
    assertThat(ObjectKey.ofUtf8(own).value()).isEqualTo("a\uFFFDb");
    byte[] damaged = Arrays.copyOf(own, own.length + 1);
    damaged[own.length] = (byte) 0xC3;
    assertThatThrownBy(() -> ObjectKey.ofUtf8(damaged)).hasMessageContaining("not valid UTF-8");
  }

  @Test
  void limitsTheBytesAndNotTheCharacters() {
    assertThat(new ObjectKey("\uD83D\uDE00".repeat(256)).toUtf8()).hasSize(1024);
    assertThatThrownBy(() -> new ObjectKey("\uD83D\uDE00".repeat(256) + "a"))
        .hasMessageContaining("1025 bytes");
    assertThatThrownBy(() -> new ObjectKey("\u20AC".repeat(342))).hasMessageContaining("1026");
  }
}
