package dev.floe.meta.model;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The name of an object within its tenant: 1 to 1024 bytes of valid UTF-8, opaque to Floe.
///
/// A key is not a path: `a/../b` is its own key. Keys are ordered by Unicode code point, which is
/// the order of their UTF-8 bytes.
public record ObjectKey(String value) implements Comparable<ObjectKey> {
  public ObjectKey {
    int bytes = utf8Bytes(value);
    if (bytes == 0) {
      throw new FloeException(
          ErrorCode.INVALID_KEY, "the key is empty; a key has 1 to 1024 bytes of UTF-8");
    }
    if (bytes > Limits.KEY_BYTES_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_KEY,
          "the key '"
              + shortened(value)
              + "' has "
              + bytes
              + " bytes, the limit is "
              + Limits.KEY_BYTES_MAX
              + "; shorten it or use its hash");
    }
  }

  /// The key whose UTF-8 form is `bytes`.
  ///
  /// @throws FloeException `INVALID_KEY` when they are not valid UTF-8, none, or too many
  public static ObjectKey ofUtf8(byte[] bytes) {
    if (bytes.length > Limits.KEY_BYTES_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_KEY,
          "a key of "
              + bytes.length
              + " bytes came, the limit is "
              + Limits.KEY_BYTES_MAX
              + "; shorten it or use its hash");
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Decoding puts this character in the place of what is not UTF-8; a key may also have it.
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
      throw new FloeException(
          ErrorCode.INVALID_KEY,
          "the key's "
              + bytes.length
              + " bytes are not valid UTF-8; encode binary keys, e.g. as hex");
    }
    return new ObjectKey(text);
  }

  /// The key in UTF-8.
  public byte[] toUtf8() {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /// The length in UTF-8, without making the bytes: this runs for every key of every command.
  private static int utf8Bytes(String value) {
    int bytes = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        throw new FloeException(
            ErrorCode.INVALID_KEY,
            "the key '" + shortened(value) + "' has half of a surrogate pair and so no UTF-8 form");
      }
    }
    return bytes;
  }

  private static String shortened(String value) {
    return value.length() <= 64 ? value : value.substring(0, 64) + "...";
  }

  @Override
  public int compareTo(ObjectKey other) {
    String a = value;
    String b = other.value;
    int end = Math.min(a.length(), b.length());
    for (int i = 0; i < end; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above every other char, though their values lie below
        // U+E000.
        return Integer.compare(weight(x), weight(y));
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  private static int weight(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }

  @Override
  public String toString() {
    return value;
  }
}
