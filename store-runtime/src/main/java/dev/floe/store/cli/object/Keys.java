package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.cli.text.Printable;
import java.util.ArrayList;
import java.util.List;

/// Keys from the command line.
public final class Keys {
  private static final char REPLACEMENT = '\ufffd';

  private Keys() {}

  /// The key that somebody typed.
  ///
  /// @throws FloeException `INVALID_KEY` also when it has U+FFFD: Java puts that in place of bytes
  ///     that are not UTF-8, so two different arguments would become one key
  static ObjectKey of(String text) {
    if (text.indexOf(REPLACEMENT) >= 0) {
      throw new FloeException(
          ErrorCode.INVALID_KEY,
          "the key '"
              + Printable.shortened(text)
              + "' has bytes that are not UTF-8 (or the character U+FFFD that stands for them);"
              + " encode binary keys, e.g. as hex");
    }
    return new ObjectKey(text);
  }

  static List<ObjectKey> of(List<String> texts) {
    List<ObjectKey> keys = new ArrayList<>();
    texts.forEach(text -> keys.add(of(text)));
    return keys;
  }
}
