package dev.floe.core.wire;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;

/// A host name or address and a port, never resolved before use so that a moved host is found
/// again.
///
/// @param host a name, an IPv4 address, or an IPv6 address without brackets; at most
///     `Limits.HOST_CHARS_MAX` characters
/// @param port 0 to 65535; 0 only where a server may pick one
public record Endpoint(String host, int port) implements Comparable<Endpoint> {
  public Endpoint {
    if (host.isBlank()) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, "an endpoint needs a host, e.g. 127.0.0.1:7401");
    }
    if (host.length() > Limits.HOST_CHARS_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "a host of "
              + host.length()
              + " characters, the limit is "
              + Limits.HOST_CHARS_MAX
              + ": "
              + host.substring(0, 64)
              + "...");
    }
    if (port < 0 || port > 65_535) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, "port " + port + " of host " + host + " is not in 0..65535");
    }
  }

  /// Reads `host:port` or `[v6-address]:port`.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` naming the text when it has another shape
  public static Endpoint parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon > 0) {
      String host = text.substring(0, colon);
      if (host.startsWith("[") && host.endsWith("]")) {
        host = host.substring(1, host.length() - 1);
      } else if (host.indexOf(':') >= 0) {
        throw malformed(text, "put an IPv6 address in brackets");
      }
      try {
        return new Endpoint(host, Integer.parseInt(text.substring(colon + 1)));
      } catch (NumberFormatException e) {
        throw malformed(text, "the port is not a number");
      }
    }
    throw malformed(text, "there is no port");
  }

  private static FloeException malformed(String text, String why) {
    return new FloeException(
        ErrorCode.INVALID_ARGUMENT,
        "'" + text + "' is not host:port (" + why + "), e.g. 127.0.0.1:7401 or [::1]:7401");
  }

  @Override
  public int compareTo(Endpoint other) {
    int byHost = host.compareTo(other.host);
    return byHost != 0 ? byHost : Integer.compare(port, other.port);
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
