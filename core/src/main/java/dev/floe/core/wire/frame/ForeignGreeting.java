package dev.floe.core.wire.frame;

import java.nio.ByteBuffer;

/// Says what somebody sent who does not speak our protocol, so that a wrong address is recognised.
final class ForeignGreeting {
  private static final int SHOWN_BYTES = 40;
  private static final int SETTINGS = 4;

  private ForeignGreeting() {}

  /// The beginning of what came: as text where it is text, else as bytes.
  static String describe(ByteBuffer came) {
    int count = Math.min(came.remaining(), SHOWN_BYTES);
    byte[] bytes = new byte[count];
    came.duplicate().get(bytes);
    if (count > 3 && bytes[0] == 0 && bytes[1] == 0 && bytes[3] == SETTINGS) {
      return "it sent an HTTP/2 greeting, as a master's port for other masters does; use the port for"
          + " clients and stores";
    }
    String text = line(bytes);
    return (text.isEmpty() ? "it sent the bytes " + hex(bytes) : "it sent '" + text + "'")
        + "; check the address";
  }

  /// The first line when all of it is printable, else nothing.
  private static String line(byte[] bytes) {
    StringBuilder line = new StringBuilder();
    for (byte b : bytes) {
      if (b == '\r' || b == '\n') {
        break;
      }
      if (b < ' ' || b > '~') {
        return "";
      }
      line.append((char) b);
    }
    return line.toString();
  }

  private static String hex(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.length, 8); i++) {
      hex.append(i == 0 ? "" : " ").append(String.format("%02x", bytes[i]));
    }
    return hex.toString();
  }
}
