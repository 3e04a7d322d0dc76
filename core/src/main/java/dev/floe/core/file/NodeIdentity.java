package dev.floe.core.file;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/// Which node a data directory belongs to.
///
/// Stored as lines of UTF-8 text, so that an operator can read it:
///
/// | line                  | meaning                                |
/// |-----------------------|----------------------------------------|
/// | `format=1`            | version of this file                   |
/// | `cluster=NAME`        | cluster name                           |
/// | `role=ROLE`           | `master`, `store`, ...                 |
/// | `node=ID`             | the node's id, unique in its cluster   |
///
/// @param cluster not blank, no line breaks
/// @param role not blank, no line breaks
/// @param node not blank, no line breaks
public record NodeIdentity(String cluster, String role, String node) {
  private static final String FORMAT = "1";

  public NodeIdentity {
    check("cluster", cluster);
    check("role", role);
    check("node", node);
  }

  private static void check(String name, String value) {
    if (value.isBlank() || !value.equals(value.strip()) || value.chars().anyMatch(c -> c < ' ')) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "the "
              + name
              + " of a node is '"
              + value
              + "': it needs a name without line breaks or spaces around it");
    }
  }

  byte[] encode() {
    String text =
        "format=" + FORMAT + "\ncluster=" + cluster + "\nrole=" + role + "\nnode=" + node + "\n";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// @throws FloeException `CORRUPT` or `VERSION_MISMATCH`, naming `where`
  static NodeIdentity decode(byte[] bytes, String where) {
    TreeMap<String, String> fields = new TreeMap<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
      int equals = line.indexOf('=');
      if (equals < 1 || fields.put(line.substring(0, equals), line.substring(equals + 1)) != null) {
        throw corrupt(where, "the line '" + line + "' is not expected");
      }
    }
    String format = field(fields, "format", where);
    if (!format.equals(FORMAT)) {
      throw new FloeException(
          ErrorCode.VERSION_MISMATCH,
          where
              + " has format "
              + format
              + " but this release reads format "
              + FORMAT
              + ": run the release that wrote the directory");
    }
    try {
      return new NodeIdentity(
          field(fields, "cluster", where),
          field(fields, "role", where),
          field(fields, "node", where));
    } catch (FloeException e) {
      throw e.code() == ErrorCode.INVALID_CONFIG ? corrupt(where, e.getMessage()) : e;
    }
  }

  private static String field(TreeMap<String, String> fields, String name, String where) {
    String value = fields.get(name);
    if (value == null) {
      throw corrupt(where, "there is no line '" + name + "=...'");
    }
    return value;
  }

  private static FloeException corrupt(String where, String why) {
    return new FloeException(
        ErrorCode.CORRUPT,
        where
            + " is damaged: "
            + why
            + "; restore it, or write its four lines anew: format=1, cluster=NAME, role=master or"
            + " store, node=ID");
  }

  @Override
  public String toString() {
    return role + " '" + node + "' of cluster '" + cluster + "'";
  }
}
